/* SPDX-License-Identifier: BSD-3-Clause */
/* The other file of first.upc. */
#include <upc.h>
#include "objects.h"

shared int defined_in_second = 2, only_in_function = 9;
shared [] int initialised_array[4] = {1, 2, 3, 4};
static shared int hidden = 200;
shared int *private_pointer = &defined_in_first, *shared shared_pointer = &defined_in_second;
struct record own_record = {&head, 8};

shared int *address_of_other(int which)
{
    static shared int local = 60, own_copy[THREADS], sum[THREADS];
    long i, total = 0;
    switch (which) {
        case 0: return &hidden;
        case 1: return &local;
        case 2: return &in_each_file;
        case 3: return &tentative_in_both;
        case 4: own_copy[MYTHREAD] = own; return &own_copy[MYTHREAD];
        default:
            for (i = 0; i < 3 * THREADS; i++) total += array_in_both[i];
            sum[MYTHREAD] = (int)total;
            return &sum[MYTHREAD];
    }
}

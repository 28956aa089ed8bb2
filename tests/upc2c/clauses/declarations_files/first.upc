/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.5.1: linkage of shared objects: extern, tentative definitions and static in a program of two files. */
#include "../check.h"
#include "objects.h"

shared int defined_in_first = 1;
shared [2] int without_bound[4 * THREADS] = {10, 11, 12};
shared struct record head = {0, 5};
int own = 3;
static shared int hidden = 100;
shared int tentative_in_both;

static shared int *in_function(void)
{
    static shared int local = 50;
    return &local;
}

int main(void)
{
    extern shared int only_in_function;
    int i;
    CHECK(defined_in_first == 1 && defined_in_second == 2 && only_in_function == 9 && tentative_in_both == 0);
    CHECK(hidden == 100 && *address_of_other(0) == 200 && *in_function() == 50 && *address_of_other(1) == 60);
    CHECK(address_of_other(2) != &in_each_file && *address_of_other(2) == 7 && in_each_file == 7);
    CHECK(without_bound[2] == 12 && upc_threadof(&without_bound[2]) == 1 % THREADS && initialised_array[3] == 4);
    CHECK(head.n == 5 && head.next == NULL && private_pointer == &defined_in_first && shared_pointer == &defined_in_second);
    CHECK(own == 3 && own_record.n == 8 && own_record.next == &head && address_of_other(3) == &tentative_in_both);
    upc_barrier;
    own += MYTHREAD;
    for (i = 0; i < 3; i++) array_in_both[3 * MYTHREAD + i] = i;
    if (MYTHREAD == THREADS - 1) tentative_in_both = 4, in_each_file = 8;
    upc_barrier;
    CHECK(*address_of_other(3) == 4 && *address_of_other(2) == 7 && *address_of_other(4) == own && own == 3 + MYTHREAD);
    CHECK(*address_of_other(5) == 3 * THREADS);
    return finish();
}

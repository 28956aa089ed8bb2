/* SPDX-License-Identifier: BSD-3-Clause */
#include <upc.h>
#include "data.h"
int defined_there[3] = {1, 2, 3};
int *pointer_there = &defined_there[1];
struct item items[2] = {{1, &items[1]}, {2, items}};
static int hidden = 100;

int work(int by)
{
    tentative *= 2;
    list[3] += by;
    anonymous.x += by;
    defined_there[2] += MYTHREAD;
    items[0].n = MYTHREAD;
    hidden += by;
    return hidden == 101 ? tentative + by : -1;
}

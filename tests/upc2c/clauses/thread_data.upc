/* SPDX-License-Identifier: BSD-3-Clause */
/* Unshared data with static storage: every thread has its own, with its own initial values. */
#include <upc.h>
#include <stdio.h>
#include <string.h>
int number = 5, *where = &number, table[3] = {1, 2, 3}, *middle = &table[1];
static double value;
static struct { const char *name; int *link; } record = {"name", &table[2]};
char text[] = "initial";
static const int constant = 77;
static int (*function)(void);
shared int sums[THREADS];

static int count(void) {
    static int calls, *last = &calls;
    return ++*last;
}

int main(void) {
    int i;
    number += MYTHREAD;
    table[1] += MYTHREAD;
    value = MYTHREAD;
    text[0] = 'A' + MYTHREAD;
    function = count;
    for (i = 0; i <= MYTHREAD; i++) function();
    upc_barrier;
    if (number != 5 + MYTHREAD || *where != number || where != &number) return 1;
    if (*middle != 2 + MYTHREAD || record.link != &table[2] || strcmp(record.name, "name")) return 2;
    if (value != MYTHREAD || text[0] != 'A' + MYTHREAD || strcmp(text + 1, "nitial") || constant != 77) return 3;
    sums[MYTHREAD] = count();
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        if (sums[i] != i + 2) return 4;
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}

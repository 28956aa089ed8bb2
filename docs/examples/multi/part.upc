/* SPDX-License-Identifier: BSD-3-Clause */
/* The other file of main.upc. */
#include <upc_strict.h>
#include <stdlib.h>
#include "util.h"

extern shared [PER_THREAD] int table[PER_THREAD * THREADS];
shared long counts[THREADS];
shared long start = 1000;
int rounds;

/* Fills the caller's block `rounds` times over with the numbers of this seed. */
void part_fill(int seed)
{
    int r, i;
    srand(seed);
    for (r = 0; r < rounds; r++)
        for (i = 0; i < PER_THREAD; i++) table[PER_THREAD * MYTHREAD + i] = rand() % 1000;
}

/* The sum of all threads' numbers. Collective. */
long part_collect(long mine)
{
    long sum = -start;
    int i;
    counts[MYTHREAD] = mine + (MYTHREAD == 0 ? start : 0);
    upc_barrier;
    for (i = 0; i < THREADS; i++) sum += counts[i];
    return sum;
}

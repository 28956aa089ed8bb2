/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of several files: this one and part.upc share a shared array and an unshared variable, util.c
 * is plain C. Every thread fills its block with random numbers of its own; its left neighbour, which knows
 * the seed, checks them.
 */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include "util.h"

shared [PER_THREAD] int table[PER_THREAD * THREADS];
int rounds; /* a copy for each thread; tentative in both files */

extern void part_fill(int seed);
extern long part_collect(long mine);

int main(void)
{
    int values[PER_THREAD], expected[PER_THREAD], i, r, right = (MYTHREAD + 1) % THREADS;
    long wrong = 0;

    rounds = 2 + MYTHREAD % 3;
    part_fill(100 + MYTHREAD);
    upc_barrier;
    upc_memget(values, &table[PER_THREAD * right], sizeof values);
    srand(100 + right);
    for (r = 0; r < 2 + right % 3; r++)
        for (i = 0; i < PER_THREAD; i++) expected[i] = rand() % 1000;
    wrong = checksum(values, PER_THREAD) != checksum(expected, PER_THREAD);
    wrong = part_collect(wrong);
    if (MYTHREAD == 0) {
        if (wrong == 0) printf("done\n");
        else printf("FAILED: %ld blocks\n", wrong);
    }
    exit(wrong != 0);
}

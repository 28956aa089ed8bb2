/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ring of threads: in each step every thread hands the number it holds to its right neighbour, so that
 * after THREADS steps each has seen all numbers once. Compiled for a static number of threads (upcc -T 4).
 */
#include <upc_relaxed.h>
#include <stdio.h>

shared int held[2][THREADS];    /* what each thread holds: now, and in the next step */
shared [] long sums[THREADS];   /* all on thread 0: the sum of what each thread has seen */
int steps = 0;                  /* a copy for each thread */

int main(void)
{
    int i, wrong = 0, right = (MYTHREAD + 1) % THREADS;
    long sum = 0, expected = 0;

    upc_forall (i = 0; i < THREADS; i++; i) held[0][i] = i * i + 1;
    upc_barrier;
    for (i = 0; i < THREADS; i++) {
        int mine = held[steps % 2][MYTHREAD];
        held[(steps + 1) % 2][right] = mine;
        upc_notify i;
        sum += mine; /* while the others arrive */
        steps++;
        upc_wait i;
    }
    sums[MYTHREAD] = sum;
    upc_barrier;
    if (MYTHREAD == 0) {
        for (i = 0; i < THREADS; i++) expected += i * i + 1;
        for (i = 0; i < THREADS; i++) {
            printf("thread %d: %d steps, sum %ld\n", i, steps, sums[i]);
            wrong += sums[i] != expected;
        }
        printf(wrong == 0 && steps == THREADS ? "done\n" : "FAILED\n");
    }
    return wrong;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* 5.1.2.3: strict accesses order relaxed ones: a flag that is strict guards data that is relaxed. */
#include <upc_relaxed.h>
#include <stdio.h>
strict shared int ready[THREADS];
shared [8] long data[8 * THREADS];

int main(void) {
    int round, i, next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    for (round = 1; round <= 50; round++) {
        for (i = 0; i < 8; i++) data[8 * next + i] = round * 100L + i;
        ready[next] = round;
        while (ready[MYTHREAD] != round)
            ;
        for (i = 0; i < 8; i++)
            if (data[8 * MYTHREAD + i] != round * 100L + i) {
                printf("thread %d round %d: element %d is %ld\n", MYTHREAD, round, i, data[8 * MYTHREAD + i]);
                return 1;
            }
        (void)before;
        upc_barrier round;
    }
    if (MYTHREAD == 0) puts("done");
    return 0;
}

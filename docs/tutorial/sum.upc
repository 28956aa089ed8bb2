/* SPDX-License-Identifier: BSD-3-Clause */
/* A shared array, filled by all threads: element i is on thread i % THREADS. */
#include <stdio.h>
#include <upc.h>

#define N 100

shared int square[N * THREADS];
shared long sums[THREADS]; /* one for each thread */
long rounds;               /* not shared: each thread has its own */

int main(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &square[i]) {
        square[i] = i * i;
        rounds++;
    }
    upc_barrier;

    long sum = 0;
    upc_forall (int i = 0; i < N * THREADS; i++; i) sum += square[N * THREADS - 1 - i];
    sums[MYTHREAD] = sum;
    upc_barrier;

    if (MYTHREAD == 0) {
        long total = 0, n = (long)N * THREADS;
        for (int t = 0; t < THREADS; t++) total += sums[t];
        printf("thread 0 has filled %ld elements\n", rounds);
        printf("the sum is %s\n", total == (n - 1) * n * (2 * n - 1) / 6 ? "right" : "wrong");
    }
    return 0;
}

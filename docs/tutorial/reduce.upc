/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives: all threads call them, and together they move or combine shared data. */
#include <stdio.h>
#include <upc.h>
#include <upc_collective.h>

#define N 8

shared [] int table[N];               /* on thread 0 */
shared [N] int copies[N * THREADS];   /* N elements on each thread */
shared [N] double data[N * THREADS];
shared double total, largest;

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < N; i++) table[i] = 10 * i;
    /* IN_ALLSYNC: the call waits until all threads have written; OUT_ALLSYNC: it returns when all is done. */
    upc_all_broadcast(copies, table, N * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);

    for (int i = 0; i < N; i++) data[N * MYTHREAD + i] = copies[N * MYTHREAD + i] + MYTHREAD;
    upc_all_reduceD(&total, data, UPC_ADD, N * THREADS, N, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_reduceD(&largest, data, UPC_MAX, N * THREADS, N, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);

    if (MYTHREAD == 0) {
        const double sum = 280. * THREADS + N * THREADS * (THREADS - 1) / 2.;
        printf("total %s, largest %s\n", total == sum ? "right" : "wrong",
               largest == 70 + THREADS - 1 ? "right" : "wrong");
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* 7.3: relocalisation and computation, with pointers of several layouts as arguments. */
#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
#define N 4
shared [] int source[N];
shared [N] int all[N * THREADS], back[N * THREADS];
shared [] int gathered[N * 64];
shared long parts[THREADS];
shared long total;
shared [1] int flat[THREADS];

static long larger(long a, long b) { return a > b ? a : b; }

int main(void) {
    int i;
    if (MYTHREAD == 0)
        for (i = 0; i < N; i++) source[i] = 10 + i;
    parts[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    upc_all_broadcast(all, source, N * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (i = 0; i < N; i++)
        if (all[N * MYTHREAD + i] != 10 + i) return 1;
    for (i = 0; i < N; i++) all[N * MYTHREAD + i] = 100 * MYTHREAD + i;
    upc_all_gather(gathered, all, N * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    if (gathered[N * (THREADS - 1) + 1] != 100 * (THREADS - 1) + 1) return 2;
    upc_all_scatter(back, gathered, N * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    if (back[N * MYTHREAD + 3] != 100 * MYTHREAD + 3) return 3;
    upc_all_reduceL(&total, parts, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    if (total != THREADS * (THREADS + 1L) / 2) return 4;
    upc_all_reduceL(&total, parts, UPC_FUNC, THREADS, 1, larger, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    if (total != THREADS) return 5;
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}

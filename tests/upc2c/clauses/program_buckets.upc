/* SPDX-License-Identifier: BSD-3-Clause */
/* Bucket sort: counts by upc_all_exchange-like puts, prefix sums, a final check of order across threads. */
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <stdio.h>
#include <stdlib.h>
#define KEYS 64
#define MAXT 64
shared [MAXT] int counts[THREADS][MAXT];
shared [] int *shared chunks[THREADS];
shared int sizes[THREADS];
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int keys[KEYS], filled[MAXT] = {0}, i, t, total = 0, *mine;
    unsigned state = 99 + MYTHREAD;
    if (THREADS > MAXT) return 2;
    for (i = 0; i < KEYS; i++) {
        state = state * 1664525u + 1013904223u;
        keys[i] = (int)(state >> 8) % (1000 * THREADS);
        filled[keys[i] / 1000]++;
    }
    for (t = 0; t < THREADS; t++) counts[t][MYTHREAD] = filled[t];
    upc_barrier;
    for (t = 0; t < THREADS; t++) total += counts[MYTHREAD][t];
    sizes[MYTHREAD] = total;
    chunks[MYTHREAD] = total > 0 ? upc_alloc(total * sizeof(int)) : NULL;
    upc_barrier;
    for (t = 0; t < THREADS; t++) {
        int at = 0, k;
        shared [] int *to = chunks[t];
        for (k = 0; k < MYTHREAD; k++) at += counts[t][k];
        for (i = 0; i < KEYS; i++)
            if (keys[i] / 1000 == t) to[at++] = keys[i];
    }
    upc_barrier;
    mine = (int *)chunks[MYTHREAD];
    if (total) qsort(mine, total, sizeof *mine, compare);
    upc_barrier;
    if (MYTHREAD == 0) {
        int last = -1, seen = 0;
        for (t = 0; t < THREADS; t++)
            for (i = 0; i < sizes[t]; i++, seen++) {
                if (chunks[t][i] < last) return 1;
                last = chunks[t][i];
            }
        if (seen != KEYS * THREADS) return 3;
        puts("done");
    }
    return 0;
}

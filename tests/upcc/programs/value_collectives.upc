/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley UPC's collectives on values. */
#include <upc.h>
#include <bupc_collectivev.h>
#include <stdio.h>
#include <assert.h>
#define NULLPTR ((void *)0)
typedef struct {
    int a;
    double b;
} rec;
int main(void) {
    int bad = 0;
    int s = bupc_allv_reduce_all(int, MYTHREAD + 1, UPC_ADD);
    bad += s != THREADS * (THREADS + 1) / 2;
    double m = bupc_allv_reduce_all(double, (double)MYTHREAD, UPC_MAX);
    bad += m != THREADS - 1;
    long p = bupc_allv_prefix_reduce(long, (long)MYTHREAD, UPC_ADD);
    bad += p != MYTHREAD * (MYTHREAD + 1) / 2;
    int b = bupc_allv_broadcast(int, MYTHREAD * 7 + 1, THREADS - 1);
    bad += b != (THREADS - 1) * 7 + 1;
    float r = bupc_allv_reduce(float, 1.0f, 0, UPC_ADD);
    if (!MYTHREAD) bad += r != THREADS;
    int all[THREADS];
    bupc_allv_gather_all(int, MYTHREAD *MYTHREAD, all);
    for (int i = 0; i < THREADS; i++) bad += all[i] != i * i;
    int perm = bupc_allv_permute(int, MYTHREAD, (MYTHREAD + 1) % THREADS);
    bad += perm != (MYTHREAD + THREADS - 1) % THREADS;
    {
        int src[THREADS];
        for (int i = 0; i < THREADS; i++) src[i] = i * 3;
        int got = bupc_allv_scatter(int, 0, src);
        bad += got != MYTHREAD * 3;
    }
    assert(bad == 0);
    if (bad) printf("%d %d\n", MYTHREAD, bad);
    upc_barrier;
    if (!MYTHREAD && !bad) puts("done");
    return bad;
}

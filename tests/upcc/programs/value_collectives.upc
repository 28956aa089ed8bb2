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
shared int cells[THREADS];
int main(void) {
    int bad = 0;
    bad += bupc_allv_broadcast(int, 5, 0) + bupc_allv_reduce_all(int, 1, UPC_ADD) != 5 + THREADS;
    bad += bupc_allv_reduce_all(int, 7, UPC_MIN) >= bupc_allv_reduce_all(int, 100, UPC_MAX);
    _Bool any = bupc_allv_reduce_all(_Bool, 1, UPC_ADD);
    bad += (int)any != 1 || (int)bupc_allv_reduce_all(_Bool, MYTHREAD != 0, UPC_MULT) != 0;
    bad += bupc_allv_broadcast(shared int *, &cells[MYTHREAD], THREADS - 1) != &cells[THREADS - 1];
    bad += bupc_allv_permute(rec, ((rec){MYTHREAD, 0.5}), MYTHREAD).a != MYTHREAD;
    bad += bupc_allv_broadcast(rec, ((rec){.a = MYTHREAD + 3}), 0).a != 3;
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

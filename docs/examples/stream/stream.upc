/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * STREAM: how many bytes a second go through memory, in three ways to write the same loops in UPC.
 *
 *     stream [elements a thread] [rounds] [passes]
 *
 * A round is a timed step of each kernel; a step runs it as many times as there are passes, since small arrays
 * take too little time for the clock.
 *
 *   forall   arrays dealt to the threads element by element, upc_forall
 *   shared   the thread's part of them through a pointer-to-shared of indefinite block size
 *   local    the same part through a plain pointer: it is local, so it can be cast
 */
#include <upc_relaxed.h>
#include <stdlib.h>
#include "stream.h"

shared long bad[THREADS];

static void by_forall(int kernel, shared double *a, shared double *b, shared double *c, int n)
{
    int i;
    switch (kernel) {
    case COPY: upc_forall (i = 0; i < n; i++; i) c[i] = a[i]; break;
    case SCALE: upc_forall (i = 0; i < n; i++; i) b[i] = FACTOR * c[i]; break;
    case ADD: upc_forall (i = 0; i < n; i++; i) c[i] = a[i] + b[i]; break;
    case TRIAD: upc_forall (i = 0; i < n; i++; i) a[i] = b[i] + FACTOR * c[i]; break;
    }
}

static void by_shared(int kernel, shared [] double *a, shared [] double *b, shared [] double *c, long n)
{
    long i;
    switch (kernel) {
    case COPY: for (i = 0; i < n; i++) c[i] = a[i]; break;
    case SCALE: for (i = 0; i < n; i++) b[i] = FACTOR * c[i]; break;
    case ADD: for (i = 0; i < n; i++) c[i] = a[i] + b[i]; break;
    case TRIAD: for (i = 0; i < n; i++) a[i] = b[i] + FACTOR * c[i]; break;
    }
}

int main(int argc, char **argv)
{
    static const char *versions[] = {"forall", "shared", "local"};
    long n = argc > 1 ? atol(argv[1]) : 1000, i, failed = 0;
    int rounds = argc > 2 ? atoi(argv[2]) : 10, passes = argc > 3 ? atoi(argv[3]) : 1;
    int version, round, kernel, pass;
    shared double *a = upc_all_alloc(n * THREADS, sizeof(double));
    shared double *b = upc_all_alloc(n * THREADS, sizeof(double));
    shared double *c = upc_all_alloc(n * THREADS, sizeof(double));
    double *mine_a = (double *)&a[MYTHREAD], *mine_b = (double *)&b[MYTHREAD], *mine_c = (double *)&c[MYTHREAD];
    double best[KERNELS], start;

    for (version = 0; version < 3; version++) {
        for (kernel = 0; kernel < KERNELS; kernel++) best[kernel] = 1e9;
        for (i = 0; i < n; i++) mine_a[i] = 1, mine_b[i] = mine_c[i] = 0;
        for (round = 0; round < rounds; round++)
            for (kernel = 0; kernel < KERNELS; kernel++) {
                upc_barrier;
                start = seconds();
                for (pass = 0; pass < passes; pass++)
                    if (version == 0)
                        by_forall(kernel, a, b, c, n * THREADS);
                    else if (version == 1)
                        by_shared(kernel, (shared [] double *)&a[MYTHREAD], (shared [] double *)&b[MYTHREAD],
                                  (shared [] double *)&c[MYTHREAD], n);
                    else
                        plain(kernel, mine_a, mine_b, mine_c, n);
                upc_barrier;
                if (seconds() - start < best[kernel]) best[kernel] = seconds() - start;
            }
        bad[MYTHREAD] = wrong(mine_a, mine_b, mine_c, n, rounds);
        upc_barrier;
        if (MYTHREAD == 0) {
            for (i = 0; i < THREADS; i++) failed += bad[i];
            report(versions[version], THREADS, n, passes, best);
        }
        upc_barrier;
    }
    if (MYTHREAD == 0) {
        if (failed) printf("FAILED: %ld elements\n", failed);
        else printf("done: a = %g after %d rounds\n", mine_a[0], rounds);
    }
    return failed != 0;
}

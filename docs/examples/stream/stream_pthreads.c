/* SPDX-License-Identifier: BSD-3-Clause */
/* STREAM in plain C with pthreads: stream_pthreads [elements a thread] [rounds] [passes] [threads] */
#include <pthread.h>
#include <stdlib.h>
#include "stream.h"

static long n;
static int rounds, passes, threads;
static pthread_barrier_t barrier;
static long failed;

static void *work(void *me) {
    double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double)), *c = malloc(n * sizeof(double));
    double best[KERNELS] = {1e9, 1e9, 1e9, 1e9}, start;
    int round, kernel, pass;
    long i;

    for (i = 0; i < n; i++) a[i] = 1, b[i] = c[i] = 0;
    for (round = 0; round < rounds; round++)
        for (kernel = 0; kernel < KERNELS; kernel++) {
            pthread_barrier_wait(&barrier);
            start = seconds();
            for (pass = 0; pass < passes; pass++) plain(kernel, a, b, c, n);
            pthread_barrier_wait(&barrier);
            if (seconds() - start < best[kernel]) best[kernel] = seconds() - start;
        }
    __atomic_fetch_add(&failed, wrong(a, b, c, n, rounds), __ATOMIC_RELAXED);
    pthread_barrier_wait(&barrier);
    if (me == 0) {
        report("pthreads", threads, n, passes, best);
        if (failed)
            printf("FAILED: %ld elements\n", failed);
        else
            printf("done: a = %g after %d rounds\n", a[0], rounds);
    }
    free(a), free(b), free(c);
    return 0;
}

int main(int argc, char **argv) {
    pthread_t *others;
    long t;
    n = argc > 1 ? atol(argv[1]) : 1000;
    rounds = argc > 2 ? atoi(argv[2]) : 10;
    passes = argc > 3 ? atoi(argv[3]) : 1;
    threads = argc > 4 ? atoi(argv[4]) : 2;
    others = malloc(threads * sizeof *others);
    pthread_barrier_init(&barrier, 0, threads);
    for (t = 1; t < threads; t++) pthread_create(&others[t], 0, work, (void *)t);
    work(0);
    for (t = 1; t < threads; t++) pthread_join(others[t], 0);
    free(others);
    return failed != 0;
}

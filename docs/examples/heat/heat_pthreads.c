/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.upc in plain C with pthreads: heat_pthreads [points per side] [sweeps] [rate] [threads]. Blocks of rows are
 * distributed cyclically over the threads, which read rows of their neighbours in place. */
#include <pthread.h>
#include "heat.h"

#define ROWS 4
static int n, sweeps, threads;
static double *u, *v, residual, time_taken;
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    const int me = (int)(long)arg;
    double *from = u, *to = v, *swap, start, mine;
    int s, block, row;

    for (block = me * ROWS; block < n; block += threads * ROWS)
        for (row = block * n; row < (block + ROWS) * n && row < n * n; row++)
            u[row] = v[row] = heated(n, row / n, row % n) ? HOT : 0.0;
    pthread_barrier_wait(&barrier);
    start = seconds();
    for (s = 0; s < sweeps; s++) {
        if (me == 0) residual = 0.0;
        pthread_barrier_wait(&barrier);
        mine = 0.0;
        for (block = me * ROWS; block < n; block += threads * ROWS)
            for (row = block; row < block + ROWS && row < n - 1; row++)
                if (row > 0)
                    mine = step(from + (row - 1) * n, from + row * n, from + (row + 1) * n, to + row * n, n,
                                row, mine);
        pthread_mutex_lock(&mutex);
        if (mine > residual) residual = mine;
        pthread_mutex_unlock(&mutex);
        pthread_barrier_wait(&barrier);
        swap = from, from = to, to = swap;
    }
    if (me == 0) time_taken = seconds() - start;
    return from;
}

int main(int argc, char **argv) {
    pthread_t *others;
    double *result;
    long t;
    n = argc > 1 ? atoi(argv[1]) : 48;
    sweeps = argc > 2 ? atoi(argv[2]) : 24;
    threads = argc > 4 ? atoi(argv[4]) : 2;
    u = malloc(n * n * sizeof(double));
    v = malloc(n * n * sizeof(double));
    others = malloc(threads * sizeof *others);
    pthread_barrier_init(&barrier, 0, threads);
    for (t = 1; t < threads; t++) pthread_create(&others[t], 0, work, (void *)t);
    result = work(0);
    for (t = 1; t < threads; t++) pthread_join(others[t], 0);
    return conclude("pthreads", threads, n, sweeps, time_taken, result);
}

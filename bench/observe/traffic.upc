/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What single accesses take: bench/table/observing.py compiles it with and without --stats, and runs both in turns, the one
 * counting. Prints nanoseconds of one operation, of the burst that a tenth of all are quicker than (other load interrupts some of
 * them), as lines of JSON. Thread 0 accesses memory of its own and
 * of the last thread, which waits in a barrier. With UPCR_PSHM=no the latter goes by messages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc_relaxed.h>

#define BURSTS 201
#define NEAR 2000
#define FAR 50
shared long words[THREADS];

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The compiler must not join or drop accesses. */
#define MEASURE(name, times, access) \
    do { \
        double took[BURSTS]; \
        for (int b = 0; b < BURSTS; ++b) { \
            const double start = now_ns(); \
            for (int i = 0; i < (times); ++i) { \
                access; \
                __asm__ volatile("" ::: "memory"); \
            } \
            took[b] = (now_ns() - start) / (times); \
        } \
        qsort(took, BURSTS, sizeof took[0], by_size); \
        printf("{\"name\": \"%s\", \"ns\": %.3f}\n", name, took[BURSTS / 10]); \
    } while (0)

int main(void) {
    const int there = THREADS - 1;
    volatile long sum = 0;
    upc_barrier;
    if (MYTHREAD == 0) {
        MEASURE("local_put", NEAR, words[0] = i);
        MEASURE("local_get", NEAR, sum += words[0]);
        MEASURE("peer_put", FAR, words[there] = i);
        MEASURE("peer_get", FAR, sum += words[there]);
    }
    upc_barrier;
    return 0;
}

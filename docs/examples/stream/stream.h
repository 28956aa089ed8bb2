/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by stream.upc and stream_pthreads.c: the four kernels in plain memory, their check, clock and report. */
#ifndef STREAM_H
#define STREAM_H
#include <math.h>
#include <stdio.h>
#include <time.h>

enum { COPY, SCALE, ADD, TRIAD, KERNELS };
#define FACTOR 3.0

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* The thread's part of the arrays, n elements each, as plain memory. */
static __attribute__((noinline)) void plain(int kernel, double *restrict a, double *restrict b,
                                            double *restrict c, long n) {
    long i;
    switch (kernel) {
    case COPY:
        for (i = 0; i < n; i++) c[i] = a[i];
        break;
    case SCALE:
        for (i = 0; i < n; i++) b[i] = FACTOR * c[i];
        break;
    case ADD:
        for (i = 0; i < n; i++) c[i] = a[i] + b[i];
        break;
    case TRIAD:
        for (i = 0; i < n; i++) a[i] = b[i] + FACTOR * c[i];
        break;
    }
}

/* The number of elements that are not what `times` rounds make of a = 1: each multiplies it by 15; repeated
 * passes of one kernel change nothing. The caller sets a to 1 before the first round. */
static long wrong(const double *a, const double *b, const double *c, long n, int times) {
    const double want = pow(15.0, times), last = want / 15.0;
    long i, bad = 0;
    for (i = 0; i < n; i++)
        bad += fabs(a[i] / want - 1) > 1e-9 || fabs(b[i] / (3 * last) - 1) > 1e-9 ||
               fabs(c[i] / (4 * last) - 1) > 1e-9;
    return bad;
}

/* Bytes a second of each kernel, over all threads, from the times of its fastest step. */
static void report(const char *version, int threads, long n, int passes, const double *best) {
    static const char *names[KERNELS] = {"copy", "scale", "add", "triad"};
    static const int arrays[KERNELS] = {2, 2, 3, 3};
    int k;
    printf(
        "{\"example\": \"stream\", \"version\": \"%s\", \"threads\": %d, \"size\": %ld, \"unit\": \"bytes/s\"",
        version, threads, n);
    for (k = 0; k < KERNELS; k++)
        printf(", \"%s\": %.4g", names[k], arrays[k] * 8.0 * n * threads * passes / best[k]);
    printf(", \"rate\": %.4g}\n", 24.0 * n * threads * passes / best[TRIAD]);
}
#endif

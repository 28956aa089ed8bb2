/* SPDX-License-Identifier: BSD-3-Clause */
/* What heat_pthreads.c and heat_mpi.c share with each other, and in the same words with heat.upc: the plate, the
 * solution by one thread, the report. */
#ifndef HEAT_H
#define HEAT_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define HOT 100.0

static inline int heated(int n, int row, int col) {
    int r = 10 * row - 3 * n, c = 10 * col - 3 * n, d = 10 * n / 8;
    if (r * r + c * c <= d * d) return 1;
    r = 10 * row - 6 * n, c = 10 * col - 7 * n, d = 10 * n / 12;
    return r * r + c * c <= d * d;
}

/* Computes one row of a step. Returns the largest change in it, or `largest` if that is larger. */
static inline double step(const double *above, const double *here, const double *below, double *next, int n,
                          int row, double largest) {
    int col;
    for (col = 1; col < n - 1; col++) {
        if (heated(n, row, col)) continue;
        next[col] = 0.25 * (above[col] + below[col] + here[col - 1] + here[col + 1]);
        if (fabs(next[col] - here[col]) > largest) largest = fabs(next[col] - here[col]);
    }
    return largest;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* Prints the rate, and whether u equals the solution of one thread. Returns the program's status. */
static int conclude(const char *version, int threads, int n, int sweeps, double time, const double *u) {
    double *a = malloc(n * n * sizeof(double)), *b = malloc(n * n * sizeof(double)), *swap;
    int s, i, differ = 0;
    for (i = 0; i < n * n; i++) a[i] = b[i] = heated(n, i / n, i % n) ? HOT : 0.0;
    for (s = 0; s < sweeps; s++) {
        for (i = 1; i < n - 1; i++) step(a + (i - 1) * n, a + i * n, a + (i + 1) * n, b + i * n, n, i, 0.0);
        swap = a, a = b, b = swap;
    }
    for (i = 0; i < n * n; i++) differ += fabs(a[i] - u[i]) > 1e-9 * HOT;
    free(a), free(b);
    printf(
        "{\"example\": \"heat\", \"version\": \"%s\", \"threads\": %d, \"size\": %d, \"unit\": \"points/s\", "
        "\"rate\": %.4g}\n",
        version, threads, n, (n - 2.0) * (n - 2) * sweeps / time);
    if (differ != 0)
        printf("FAILED: %d points differ from the sequential solution\n", differ);
    else
        printf("done: %d x %d points, equal to the sequential solution\n", n, n);
    return differ != 0;
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over shared arrays, element by element, each beside what a program would write for speed: plain C on the
 * thread's own part, or upc_memget and upc_memput where the elements are not mapped. One line of JSON for each: the
 * times of a loop's element (ns), medians of ROUNDS triples [reference, loop, reference].
 *   loops mapped | apart       two threads; apart: elements of the other thread
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upc.h>

#define N 8192
#define WIDTH 2048
#define ROUNDS 41
shared [N] double a[N * THREADS], b[N * THREADS], c[N * THREADS];
shared double ca[N * THREADS], cb[N * THREADS], cc[N * THREADS];
double private_copy[N];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * t.tv_sec + t.tv_nsec;
}

static __attribute__((noinline)) void triad(double *restrict x, const double *restrict y, const double *restrict z) {
    for (int i = 0; i < N; i++) x[i] = y[i] + 3 * z[i];
}
static __attribute__((noinline)) void triad_blocked(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &a[i]) a[i] = b[i] + 3 * c[i];
}
static __attribute__((noinline)) void triad_cyclic(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; i) ca[i] = cb[i] + 3 * cc[i];
}
/* Rows of WIDTH elements, with the neighbours' above and below. */
static __attribute__((noinline)) void row(double *restrict to, const double *restrict above,
                                          const double *restrict here, const double *restrict below) {
    for (int i = 1; i < WIDTH - 1; i++) to[i] = 0.25 * (above[i] + below[i] + here[i - 1] + here[i + 1]);
}
static __attribute__((noinline)) void row_shared(shared [] double *to, shared [] double *above, shared [] double *here,
                                                 shared [] double *below) {
    for (int i = 1; i < WIDTH - 1; i++) to[i] = 0.25 * (above[i] + below[i] + here[i - 1] + here[i + 1]);
}
static __attribute__((noinline)) double sum_of(shared [] double *from) {
    double sum = 0;
    for (int i = 0; i < N; i++) sum += from[i];
    return sum;
}
static __attribute__((noinline)) void store(shared [] double *to) {
    for (int i = 0; i < N; i++) to[i] = private_copy[i];
}

static volatile double sink;
static void one(int which, int loop) {
    const int other = (MYTHREAD + 1) % THREADS;
    double *x = (double *)&a[N * MYTHREAD], *y = (double *)&b[N * MYTHREAD], *z = (double *)&c[N * MYTHREAD];
    shared [] double *there = (shared [] double *)&b[N * other];
    int k;
    switch (which) {
    case 0: loop ? triad_blocked() : triad(x, y, z); break;
    case 1: loop ? triad_cyclic() : triad(x, y, z); break;
    case 2:
        for (k = 0; k + 3 * WIDTH <= N; k += WIDTH)
            if (loop)
                row_shared((shared [] double *)&a[N * MYTHREAD + k], (shared [] double *)&b[N * MYTHREAD + k],
                           (shared [] double *)&b[N * MYTHREAD + k + WIDTH],
                           (shared [] double *)&b[N * MYTHREAD + k + 2 * WIDTH]);
            else
                row(x + k, y + k, y + k + WIDTH, y + k + 2 * WIDTH);
        break;
    case 3: loop ? (void)(sink = sum_of(there)) : upc_memget(private_copy, there, N * sizeof(double)); break;
    default: loop ? store(there) : upc_memput(there, private_copy, N * sizeof(double)); break;
    }
}

static double time_of(int which, int loop, int passes) {
    const double start = now();
    for (int p = 0; p < passes; p++) one(which, loop);
    return (now() - start) / passes / N;
}

static int ascending(const void *x, const void *y) {
    const double d = *(const double *)x - *(const double *)y;
    return d < 0 ? -1 : d > 0;
}

static void measure(const char *name, int which, int passes) {
    double ratio[ROUNDS], own[ROUNDS], reference[ROUNDS];
    int kept = 0, r;
    for (r = 0; r < ROUNDS; r++) {
        upc_barrier;
        const double before = time_of(which, 0, passes), loop = time_of(which, 1, passes),
                     after = time_of(which, 0, passes);
        if (before > 1.15 * after || after > 1.15 * before) continue;
        own[kept] = loop;
        reference[kept] = (before + after) / 2;
        ratio[kept] = loop / reference[kept];
        kept++;
    }
    upc_barrier;
    if (MYTHREAD != 0) return;
    qsort(own, kept, sizeof *own, ascending);
    qsort(reference, kept, sizeof *reference, ascending);
    qsort(ratio, kept, sizeof *ratio, ascending);
    printf("{\"name\": \"%s\", \"kept\": %d, \"triples\": %d", name, kept, ROUNDS);
    if (kept > 0)
        printf(", \"median\": %.4g, \"reference_median\": %.4g, \"ratio\": %.4g, \"ratio_spread\": %.4g",
               own[kept / 2] * 1e-9, reference[kept / 2] * 1e-9, ratio[kept / 2], ratio[kept * 3 / 4] - ratio[kept / 4]);
    printf("}\n");
}

int main(int argc, char **argv) {
    const int apart = argc > 1 && strcmp(argv[1], "apart") == 0;
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) a[i] = b[i] = c[i] = ca[i] = cb[i] = cc[i] = 1;
    upc_barrier;
    if (apart) {
        measure("loop_read_apart", 3, 20);
        measure("loop_write_apart", 4, 20);
        return 0;
    }
    measure("loop_triad_blocked", 0, 200);
    measure("loop_triad_cyclic", 1, 200);
    measure("loop_stencil", 2, 200);
    return 0;
}

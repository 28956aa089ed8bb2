/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat in a square plate: the edge is kept cold, two discs on it are kept hot, and Jacobi's method finds
 * the temperatures in between. Prints how much the worst point changed in each sweep, then a picture.
 *     heat [points per side, 3 to 2048] [sweeps] [rate]    rate: prints that, and neither sweeps nor picture
 */
#include <upc_relaxed.h>
#include <upc_castable.h>
#include <upc_tick.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define W 2048 /* longest row */
#define ROWS 4 /* rows in a block; blocks are distributed cyclically */
#define BLOCK (ROWS * W)

shared double residual;        /* the largest change of a sweep, over all threads */
shared double source = 100.0;  /* temperature of the discs */

static int heated(int n, int row, int col)
{
    int r = 10 * row - 3 * n, c = 10 * col - 3 * n, d = 10 * n / 8;
    if (r * r + c * c <= d * d) return 1;
    r = 10 * row - 6 * n, c = 10 * col - 7 * n, d = 10 * n / 12;
    return r * r + c * c <= d * d;
}

/* The initial temperatures: every thread writes the rows that it owns. */
static void fill(shared [BLOCK] double *u, int n, double hot)
{
    int row, col;
    upc_forall (row = 0; row < n; row++; &u[row * W])
        for (col = 0; col < n; col++) u[row * W + col] = heated(n, row, col) ? hot : 0.0;
}

/* A row as plain memory: the row itself if this process reaches it, else a copy. */
static double *plain(shared [BLOCK] double *row, int n, double *copy)
{
    double *there = upc_cast(row);
    if (there == NULL) upc_memget(there = copy, row, n * sizeof(double));
    return there;
}

/* One step from u to v; returns the largest change in this thread's rows. */
static double sweep(shared [BLOCK] double *u, shared [BLOCK] double *v, int n)
{
    double above_copy[W], below_copy[W], largest = 0.0;
    int row, col;
    upc_forall (row = 1; row < n - 1; row++; &v[row * W]) {
        double *here = (double *)&u[row * W], *next = (double *)&v[row * W]; /* local: plain memory */
        double *above = plain(&u[(row - 1) * W], n, above_copy);             /* perhaps another thread's */
        double *below = plain(&u[(row + 1) * W], n, below_copy);
        for (col = 1; col < n - 1; col++) {
            if (heated(n, row, col)) continue;
            next[col] = 0.25 * (above[col] + below[col] + here[col - 1] + here[col + 1]);
            if (fabs(next[col] - here[col]) > largest) largest = fabs(next[col] - here[col]);
        }
    }
    return largest;
}

static void picture(shared [BLOCK] double *u, int n, double hot)
{
    const char *shades = " .:-=+*#%@";
    int i, j;
    for (i = 0; i < 24; i++) {
        for (j = 0; j < 48; j++) {
            int shade = (int)(10.0 * sqrt(u[i * n / 24 * W + j * n / 48] / hot));
            putchar(shades[shade > 9 ? 9 : shade]);
        }
        putchar('\n');
    }
}

/* Repeats the computation on one thread in plain memory; returns the number of points that differ. */
static int check(shared [BLOCK] double *u, int n, int sweeps, double hot)
{
    double *a = calloc(n * n, sizeof(double)), *b = calloc(n * n, sizeof(double)), *swap;
    int s, i, differ = 0;
    for (i = 0; i < n * n; i++) a[i] = b[i] = heated(n, i / n, i % n) ? hot : 0.0;
    for (s = 0; s < sweeps; s++) {
        for (i = 0; i < n * n; i++) {
            int row = i / n, col = i % n;
            if (row == 0 || row == n - 1 || col == 0 || col == n - 1 || heated(n, row, col)) continue;
            b[i] = 0.25 * (a[i - n] + a[i + n] + a[i - 1] + a[i + 1]);
        }
        swap = a, a = b, b = swap;
    }
    for (i = 0; i < n * n; i++) differ += fabs(a[i] - u[i / n * W + i % n]) > 1e-9 * hot;
    free(a);
    free(b);
    return differ;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 48, sweeps = argc > 2 ? atoi(argv[2]) : 24;
    int rate = argc > 3, s, differ = 0;
    double mine, time;
    upc_tick_t start;
    shared [BLOCK] double *u, *v, *swap;
    upc_lock_t *lock;

    if (n < 3 || n > W || sweeps < 0) {
        if (MYTHREAD == 0) fprintf(stderr, "usage: heat [points per side, 3 to %d] [sweeps] [rate]\n", W);
        return 2;
    }
    lock = upc_all_lock_alloc();
    u = upc_all_alloc((n + ROWS - 1) / ROWS, BLOCK * sizeof(double));
    v = upc_all_alloc((n + ROWS - 1) / ROWS, BLOCK * sizeof(double));
    fill(u, n, source);
    fill(v, n, source);
    upc_barrier;
    start = upc_ticks_now();
    for (s = 0; s < sweeps; s++) {
        if (MYTHREAD == 0) residual = 0.0;
        upc_barrier 1;
        mine = sweep(u, v, n);
        upc_lock(lock);
        if (mine > residual) residual = mine;
        upc_unlock(lock);
        upc_barrier 2;
        if (MYTHREAD == 0 && !rate) printf("sweep %2d: residual %8.4f\n", s + 1, residual);
        swap = u, u = v, v = swap;
    }
    upc_barrier;
    time = 1e-9 * upc_ticks_to_ns(upc_ticks_now() - start);
    if (MYTHREAD == 0) {
        if (rate)
            printf("{\"example\": \"heat\", \"version\": \"upc\", \"threads\": %d, \"size\": %d, \"unit\": \"points/s\", "
                   "\"rate\": %.4g}\n", THREADS, n, (n - 2.0) * (n - 2) * sweeps / time);
        else
            picture(u, n, source);
        differ = check(u, n, sweeps, source);
        if (differ != 0) printf("FAILED: %d points differ from the sequential solution\n", differ);
        else printf("done: %d x %d points, equal to the sequential solution\n", n, n);
        upc_free(u);
        upc_free(v);
        upc_lock_free(lock);
    }
    return differ != 0;
}

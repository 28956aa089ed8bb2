/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many points of some pictures of the Mandelbrot set are inside of it. Each thread computes a block of
 * neighbouring rows, which is a mistake: rows in the middle take longest. `docs/observing.md` finds it.
 *
 *     mandelbrot [points per side] [pictures] [cyclic]    cyclic: the rows are dealt like cards
 */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 2048 /* points per side */
#define STEPS 500 /* a point that has not left by then is inside */

shared [] int inside[MOST]; /* points of each row, on thread 0 */

static int count_row(int row, int n, double scale)
{
    int column, count = 0;
    for (column = 0; column < n; column++) {
        double a = (2.5 * column / n - 1.75) * scale, b = (2.5 * row / n - 1.25) * scale, x = 0.0, y = 0.0;
        int step = 0;
        for (; step < STEPS && x * x + y * y < 4.0; step++) {
            double next = x * x - y * y + a;
            y = 2.0 * x * y + b;
            x = next;
        }
        count += step == STEPS;
    }
    return count;
}

static void count_rows(int n, double scale, int cyclic)
{
    int row;
    if (cyclic)
        for (row = MYTHREAD; row < n; row += THREADS) inside[row] = count_row(row, n, scale);
    else
        for (row = MYTHREAD * n / THREADS; row < (MYTHREAD + 1) * n / THREADS; row++)
            inside[row] = count_row(row, n, scale);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 96, pictures = argc > 2 ? atoi(argv[2]) : 4, cyclic = argc > 3;
    int picture, row, wrong = 0;
    if (n < 1 || n > MOST) n = MOST;
    for (picture = 0; picture < pictures; picture++) {
        double scale = 1.0 + 0.25 * picture;
        count_rows(n, scale, cyclic);
        upc_barrier;
        if (MYTHREAD == 0) {
            long sum = 0;
            for (row = 0; row < n; row++) sum += inside[row];
            for (row = 0; row < n; row += n / 8 + 1) wrong += inside[row] != count_row(row, n, scale);
            printf("picture %d: %ld points inside\n", picture, sum);
        }
        upc_barrier;
    }
    if (MYTHREAD == 0) printf(wrong == 0 ? "done\n" : "FAILED: %d rows differ\n", wrong);
    return 0;
}

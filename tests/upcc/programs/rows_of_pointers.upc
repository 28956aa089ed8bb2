/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of two and three dimensions by tables of pointers-to-shared and by pointers to shared rows. */
#include <stdlib.h>
#include <stdio.h>
#include <upc.h>
#define ROWS 5
#define COLS 6
typedef shared [COLS] float (*grid_t)[COLS];
shared [COLS] float fixed[ROWS * THREADS][COLS];
shared [] float *shared *dir;
shared [] float **mine;
grid_t g;
shared [ROWS * COLS] float cube[THREADS][ROWS][COLS];
static float at(shared [COLS] float a[][COLS], int i, int j) { return a[i][j]; }
static float at3(shared [ROWS * COLS] float (*c)[ROWS][COLS], int i, int j, int k) { return c[i][j][k]; }
static double row_sum(shared [] const float *row, size_t n) {
    double s = 0;
    while (n-- > 0) s += *row++;
    return s;
}
int main() {
    int i, j, bad = 0, R = ROWS * THREADS;
    dir = (shared [] float *shared *)upc_all_alloc(R, sizeof *dir);
    upc_forall (i = 0; i < R; ++i; &dir[i]) dir[i] = (shared [] float *)upc_alloc(COLS * sizeof(float));
    g = (grid_t)upc_all_alloc(R, COLS * sizeof(float));
    upc_barrier;
    mine = (shared [] float **)malloc(R * sizeof *mine);
    for (i = 0; i < R; i++) mine[i] = dir[i];
    upc_forall (i = 0; i < R; i++; g[i])
        for (j = 0; j < COLS; j++) {
            g[i][j] = i * 10 + j;
            fixed[i][j] = -g[i][j];
        }
    upc_forall (i = 0; i < R; i++; dir[i])
        for (j = 0; j < COLS; j++) mine[i][j] = i * 100 + j;
    upc_forall (i = 0; i < THREADS; i++; &cube[i])
        for (j = 0; j < ROWS * COLS; j++) cube[i][j / COLS][j % COLS] = i * 1000 + j;
    upc_barrier;
    for (i = 0; i < R; i++) {
        for (j = 0; j < COLS; j++) {
            bad += dir[i][j] != i * 100 + j || *(*(mine + i) + j) != i * 100 + j || g[i][j] != i * 10 + j ||
                   at(g, i, j) != i * 10 + j || at(fixed, i, j) != -(i * 10 + j);
        }
        bad += row_sum((shared [] float *)g[i], COLS) != i * 10 * COLS + 15;
        bad += upc_threadof(&g[i][0]) != i % THREADS || upc_threadof(dir[i]) != i % THREADS;
    }
    for (i = 0; i < THREADS; i++)
        for (j = 0; j < ROWS * COLS; j++)
            bad += at3(cube, i, j / COLS, j % COLS) != i * 1000 + j || cube[i][0][j] != i * 1000 + j;
    bad += &g[1] - &g[0] != 1 || &g[2][1] - &g[1][0] != COLS + 1 || (char)(sizeof *g == COLS * sizeof(float)) != 1 ||
           g + 1 != &g[1] || *(g + 1) != &g[1][0];
    float *lrow = (float *)fixed[MYTHREAD];
    bad += lrow[3] != -(MYTHREAD * 10 + 3);
    if (bad) printf("%d: %d\n", MYTHREAD, bad);
    upc_barrier;
    if (MYTHREAD == 0 && !bad) puts("done");
    upc_forall (i = 0; i < R; i++; dir[i]) upc_free(dir[i]);
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_free(dir);
        upc_free(g);
    }
    free(mine);
    return bad;
}

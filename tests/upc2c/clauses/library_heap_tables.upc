/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of rows in the shared heap, indexed in two dimensions. */
#include "check.h"
#include <stdlib.h>
#define N 6
#define M 4
typedef shared [] double *row;
typedef shared [M] double *brow;
static shared [1] row *mk(void)
{
    int i, j;
    shared row *t = (shared row *)upc_all_alloc(N, sizeof(row));
    upc_forall(i = 0; i < N; i++; &t[i])
    {
        t[i] = (row)upc_alloc(M * sizeof *t[i]);
        for (j = 0; j < M; j++) t[i][j] = i * M + j;
    }
    upc_barrier;
    return t;
}
row shared *shared dir;
static shared row *mine;
shared [M] double *brows;
double (*priv)[M];
brow *ptab;
int main(void)
{
    int i, j;
    shared row *t = mk(), *u;
    row r;
    shared [M] double *g = upc_all_alloc(THREADS, M * sizeof *g);
    shared [M] double(*gm)[M] = (shared [M] double(*)[M])g;
    if (!MYTHREAD) dir = t;
    mine = t;
    upc_barrier;
    for (i = 0; i < N; i++) {
        CHECK(upc_threadof(t[i]) == i % THREADS);
        for (j = 0; j < M; j++) CHECK(dir[i][j] == i * M + j && mine[i][j] == *(*(t + i) + j));
    }
    for (u = t, i = 0; u < t + N; u++, i++) {
        r = *u;
        CHECK(r[1] == i * M + 1 && (*u)[2] == r[2] && u[0] == r && **u == r[0]);
    }
    for (j = 0; j < M; j++) g[MYTHREAD * M + j] = gm[MYTHREAD][j] + j;
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        CHECK(gm[i][3] == 3 && upc_threadof(gm[i]) == i && &gm[i][2] == g + i * M + 2 && upc_threadof(gm + i) == i);
    priv = (double(*)[M])gm[MYTHREAD];
    CHECK(priv[0][2] == 2);
    ptab = malloc(THREADS * sizeof(brow));
    for (i = 0; i < THREADS; i++) ptab[i] = &g[i * M];
    CHECK(ptab[THREADS - 1][3] == 3 && upc_phaseof(&ptab[THREADS - 1][3]) == 3);
    {
        shared [] int(*flat)[M] = upc_alloc(3 * sizeof *flat);
        flat[2][1] = 5;
        CHECK(((shared [] int *)flat)[9] == 5 && (*(flat + 2))[1] == 5);
        upc_free(flat);
    }
    {
        shared void *v[3];
        for (i = 0; i < 3; i++) v[i] = upc_global_alloc(2, 8);
        for (i = 0; i < 3; i++) upc_free(v[i]);
    }
    upc_barrier;
    upc_forall(i = 0; i < N; i++; t + i) upc_free(t[i]);
    upc_barrier;
    upc_all_free(t);
    free(ptab);
    return finish();
}

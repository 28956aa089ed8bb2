/* SPDX-License-Identifier: BSD-3-Clause */
/* THREADS in every place where an expression or a bound may stand. */
#include "check.h"
#define N (4 * THREADS)
#define M THREADS * 2
shared int a[THREADS], b[THREADS * 2], c[2 * THREADS], d[(THREADS)], e[(2) * (THREADS)], f[M], g[N], h[3][THREADS][2],
    k[THREADS * (2 + 1)], l[2 * 2 * THREADS];
extern shared [2] int ex[];
shared [2] int ex[2 * THREADS];
extern shared int a[THREADS];
shared int (*pa)[THREADS];
typedef shared int row_t[THREADS];
row_t rows, rows2[5];
static int private_count(void)
{
    int x[THREADS];
    int i;
    for (i = 0; i < THREADS; i++) x[i] = i;
    return x[THREADS - 1] + (int)(sizeof x / sizeof *x);
}
static int vl(int n, int m[THREADS][n]) { return m[THREADS - 1][n - 1]; }
int main(int argc, char **argv)
{
    int i;
    (void)argc;
    (void)argv;
    CHECK(private_count() == 2 * THREADS - 1);
    CHECK(sizeof a == THREADS * sizeof(int) && sizeof h == 6 * THREADS * sizeof(int) &&
          sizeof l == 4 * THREADS * sizeof(int));
    {
        int m[THREADS][3];
        m[THREADS - 1][2] = 9;
        CHECK(vl(3, m) == 9);
    }
    rows[MYTHREAD] = MYTHREAD;
    rows2[4][MYTHREAD] = -MYTHREAD;
    ex[MYTHREAD + THREADS] = 2;
    ex[MYTHREAD] = 1;
    k[3 * MYTHREAD] = 3;
    upc_barrier THREADS;
    pa = rows2;
    for (i = 0; i < THREADS; i++) {
        CHECK(rows[i] == i && rows2[4][i] == -i && pa[4][i] == -i);
        CHECK(ex[i] == 1 && ex[i + THREADS] == 2 && k[3 * i] == 3);
    }
    CHECK(&pa[1][0] - &pa[0][0] == THREADS && pa + 1 == &rows2[1]);
    CHECK(MYTHREAD >= 0 && MYTHREAD < THREADS && -THREADS < 0 && (THREADS, MYTHREAD) == MYTHREAD);
    switch (THREADS) {
    default:;
    }
    i = THREADS;
    i %= THREADS;
    CHECK(i == 0);
    (void)sizeof(THREADS);
    (void)sizeof THREADS;
#if defined __UPC_STATIC_THREADS__ && THREADS > 0
    CHECK(sizeof(int[THREADS + 1]) > 4);
#elif !defined __UPC_DYNAMIC_THREADS__
#error none
#endif
    (void)c;
    (void)d;
    (void)e;
    (void)f;
    (void)g;
    (void)b;
    return finish();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Typedefs of shared types, of arrays of them and of pointers to them. */
#include "check.h"
typedef shared int sint;
typedef sint sarr[10];
typedef shared [5] int s5;
typedef s5 *p5;
typedef p5 *pp5;
typedef shared [2] struct {
    int a;
    double d[3];
} rec2;
typedef int grid[3][4];
typedef shared [12] grid sgrid;
s5 a[5 * THREADS];
rec2 r[2 * THREADS];
sgrid g[THREADS];
shared [*] int st[7 * THREADS];
shared p5 pa; /* shared pointer to shared */
p5 shared pb[THREADS];
const sint ci = 3;
volatile s5 va[5 * THREADS];
int main(void)
{
    p5 p = a;
    pp5 pp = &p;
    int i;
    sint *q = (sint *)&a[0];
    CHECK(ci == 3);
    CHECK(upc_blocksizeof(sgrid) == 12 && upc_blocksizeof(g) == 12 && upc_blocksizeof(st) == 7);
    CHECK(upc_blocksizeof(rec2) == 2 && upc_elemsizeof(r) == sizeof(rec2));
    CHECK(sizeof(sgrid) == 12 * sizeof(int));
    if (MYTHREAD == 0) pa = &a[7 % (5 * THREADS)];
    pb[MYTHREAD] = &a[5 * MYTHREAD + 1];
    upc_forall(i = 0; i < 5 * THREADS; ++i; &a[i])
    {
        a[i] = i;
        va[i] = -i;
    }
    for (i = 0; i < 12; i++) g[MYTHREAD][i / 4][i % 4] = i + 100 * MYTHREAD;
    r[2 * MYTHREAD + 1].d[2] = MYTHREAD + .5;
    upc_barrier;
    CHECK(*pa == 7 % (5 * THREADS));
    CHECK(pb[THREADS - 1] - a == 5 * (THREADS - 1) + 1);
    CHECK((*pp)[3] == 3 && *(*pp + 4) == 4);
    (*pp)++;
    CHECK(p == a + 1 && *p == 1);
    CHECK(upc_threadof(q) == 0);
    CHECK(g[THREADS - 1][2][3] == 11 + 100 * (THREADS - 1) && upc_threadof(&g[THREADS - 1][2][3]) == THREADS - 1);
    for (i = 0; i < THREADS; i++) CHECK(r[2 * i + 1].d[2] == i + .5);
    CHECK(va[5 * THREADS - 1] == 1 - 5 * THREADS);
    {
        typedef shared [3] char loc;
        loc *lp = 0;
        CHECK(!lp && upc_blocksizeof(loc) == 3 && upc_blocksizeof * lp == 3);
    }
    return finish();
}

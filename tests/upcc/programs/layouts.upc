/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts that are written in unusual ways: expressions, typedefs of arrays, [*] of structures, declarators in parentheses. */
#include <upc_relaxed.h>
#include "../../upc2c/clauses/check.h"
enum { B = 4 };
typedef double vec3[3];
shared [B * sizeof(char)] vec3 pos[2 * B * THREADS];
typedef shared [B] int blk_t[B * THREADS];
blk_t x, y;
extern blk_t x;
shared [*] vec3 st[4 * THREADS];
shared [1 == 1 ? 2 : 3] char q[2 * THREADS];
shared [(int)2.5] long l2[2 * THREADS];
shared ['\2'] long l3[2 * THREADS];
typedef struct {
    vec3 p, v;
    int id;
} body;
shared [*] body bodies[3 * THREADS];
shared [0] int ze[5];
shared [] int em[5];
shared [1] int nosp[THREADS];
int shared order[THREADS];
int shared [2] order2[2 * THREADS];
const int strict shared order3[THREADS];
static shared const int *volatile shared weird[THREADS];
long unsigned shared int lui[THREADS];
struct {
    int a;
} shared anon_s[THREADS];
shared int(paren[THREADS]), ((*pparen));
shared int (*parr)[3], (*(*pfun)(shared int *(*)(int)))[2];
static shared [] double *mk(int n) {
    static shared [] double *shared cache[THREADS];
    if (!cache[MYTHREAD]) cache[MYTHREAD] = upc_alloc(n * sizeof(double));
    return cache[MYTHREAD];
}
static int counter(void) {
    static shared int hits;
    static int mine;
    mine++;
    hits += 0;
    return mine;
}
int main(void) {
    int i, j;
    upc_forall (i = 0; i < 2 * B * THREADS; i++; &pos[i])
        for (j = 0; j < 3; j++) pos[i][j] = i + j / 10.0;
    upc_barrier;
    for (i = 0; i < 2 * B * THREADS; i++) {
        CHECK(upc_threadof(&pos[i]) == (unsigned)(((i * 3) / B) % THREADS));
        CHECK(upc_threadof(&pos[i][2]) == (unsigned)((i * 3 + 2) / B % THREADS));
        for (j = 0; j < 3; j++) CHECK(pos[i][j] == i + j / 10.0);
    }
    CHECK(upc_blocksizeof(x) == B && upc_blocksizeof(st) == 12 && upc_blocksizeof(bodies) == 3 &&
          upc_blocksizeof(q) == 2 && upc_blocksizeof(ze) == 0 && upc_blocksizeof(em) == 0 &&
          upc_blocksizeof(order) == 1 && upc_blocksizeof(order2) == 2);
    CHECK(upc_elemsizeof(pos) == sizeof(double));
    CHECK(upc_elemsizeof(bodies) == sizeof(body));
    CHECK(upc_elemsizeof(blk_t) == 4);
    CHECK(upc_blocksizeof(shared [7] int) == 7);
    CHECK(upc_localsizeof(blk_t) == B * 4);
    CHECK(upc_localsizeof(x) == 16);
    CHECK(upc_localsizeof(x[0]) == 4);
    CHECK(sizeof(blk_t) == 16 * THREADS);
    CHECK(upc_blocksizeof(*&x[1]) == B);
    CHECK(sizeof(shared [3] int *) == sizeof(&order2[0]));
    CHECK(upc_blocksizeof(l2) == 2 && upc_blocksizeof(l3) == 2);
    upc_forall (i = 0; i < 4 * THREADS; i++; &st[i]) st[i][1] = i;
    upc_barrier;
    for (i = 0; i < 4 * THREADS; i++) CHECK(st[i][1] == i && upc_threadof(&st[i][0]) == i / 4);
    for (i = 0; i < 3; i++) {
        bodies[3 * MYTHREAD + i].id = i;
        bodies[3 * MYTHREAD + i].v[2] = i * 2;
    }
    upc_barrier;
    for (i = 0; i < 3 * THREADS; i++)
        CHECK(bodies[i].id == i % 3 && bodies[i].v[2] == i % 3 * 2 && upc_threadof(&bodies[i]) == i / 3);
    shared [3] body *bp = bodies;
    bp += 4;
    if (THREADS > 1) CHECK(bp->id == 1);
    {
        body l;
        l = bodies[2];
        CHECK(l.v[2] == 4);
    }
    em[4] = 1;
    upc_barrier;
    CHECK(em[4] == 1);
    order[MYTHREAD] = 3;
    order2[2 * MYTHREAD + 1] = 4;
    lui[MYTHREAD] = ~0ul;
    CHECK(lui[MYTHREAD] + 1 == 0);
    anon_s[MYTHREAD].a = 2;
    paren[MYTHREAD] = 1;
    pparen = paren + MYTHREAD;
    CHECK(*pparen == 1);
    CHECK(order3[MYTHREAD] == 0);
    weird[MYTHREAD] = &order3[MYTHREAD];
    CHECK(*weird[MYTHREAD] == 0);
    mk(4)[3] = 2.5;
    CHECK(mk(4)[3] == 2.5 && mk(9) == mk(1));
    CHECK(counter() == 1 && counter() == 2);
    x[MYTHREAD * B] = 1;
    y[MYTHREAD * B] = x[MYTHREAD * B];
    CHECK(y[MYTHREAD * B] == 1);
    (void)parr;
    (void)pfun;
    return finish();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* 6.6.2: each iteration is executed by the thread that its affinity names, once, and the variable has its last
 * value on all threads. Affinities in steps of any size and direction, for all layouts, with remainders. */
#include <string.h>
#include "../../clauses/check.h"

#define N 61
struct cell { char c; double d[2]; };
shared int cyclic[N * THREADS];
shared [4] short blocks[N * THREADS];
shared [7] struct cell cells[N * THREADS];
shared [] long whole[N];
shared [*] int star[N * THREADS];
shared [6] int rows[N * THREADS][6];

static int ran[N * 64];

static long owner_of(long affinity) { return ((affinity % THREADS) + THREADS) % THREADS; }

/* Iterations 0 ... n - 1 of a loop from `from` in steps of `step`: each adds to ran[iteration]. */
#define LOOP(affinity, expected, type, from, step, n, relation)                                      \
    do {                                                                                             \
        type i;                                                                                      \
        long k;                                                                                      \
        memset(ran, 0, sizeof ran);                                                                  \
        upc_forall (i = (from); i relation(from) + (step) * (n); i += (step); affinity)              \
            ran[((long)i - (from)) / (step)]++;                                                      \
        CHECK((long)i == (from) + (step) * (n));                                                     \
        for (k = 0; k < (n); k++) {                                                                  \
            i = (type)((from) + (step) * k);                                                         \
            CHECK(ran[k] == ((expected) == MYTHREAD));                                               \
        }                                                                                            \
    } while (0)

static void integers(void) {
    LOOP(i, owner_of(i), int, 0, 1, N, <);
    LOOP(i, owner_of(i), int, 5, 3, N, <);
    LOOP(i, owner_of(i), long, 200, -1, N, >);
    LOOP(i, owner_of(i), long long, 300, -4, N, >);
    LOOP(2 * i + 1, owner_of(2 * i + 1), int, 0, 1, N, <);
    LOOP(6 * i, owner_of(6 * i), int, 0, 1, N, <);
    LOOP(-3 * i + 200, owner_of(-3 * i + 200), int, 0, 1, N, <);
    LOOP(THREADS * i + 2, owner_of(2), int, 0, 1, N, <);
    LOOP(7, owner_of(7), int, 0, 1, N, !=);
    LOOP(i, owner_of(i), unsigned, 1, 1, N, <);
    LOOP(i, owner_of(i), unsigned long, 1, 1, N, <);
    LOOP(i, owner_of(i), int, -7, 1, N, !=);
    LOOP(i, owner_of(i), int, 0, THREADS, 5, <);
}

static void addresses(void) {
    LOOP(&cyclic[i], upc_threadof(&cyclic[i]), int, 0, 1, N, <);
    LOOP(&cyclic[2 * i + 3], upc_threadof(&cyclic[2 * i + 3]), int, 0, 1, N / 2 - 2, <);
    LOOP(cyclic + i, upc_threadof(&cyclic[i]), long, N - 1, -2, N / 2, >);
    LOOP(&blocks[i], upc_threadof(&blocks[i]), int, 0, 1, N, <);
    LOOP(&blocks[i], upc_threadof(&blocks[i]), int, 3, 1, N - 5, <);
    LOOP(&blocks[i], upc_threadof(&blocks[i]), int, 2, 3, 19, <);
    LOOP(&blocks[i], upc_threadof(&blocks[i]), int, 1, 9, 6, <); /* passes whole blocks */
    LOOP(&blocks[i], upc_threadof(&blocks[i]), int, N - 1, -1, N, >);
    LOOP(&blocks[i], upc_threadof(&blocks[i]), int, N - 2, -3, 19, >);
    LOOP(&blocks[N - 1 - i], upc_threadof(&blocks[N - 1 - i]), int, 0, 1, N, <);
    LOOP(&cells[i].d[1], upc_threadof(&cells[i]), int, 0, 1, N, <);
    LOOP(&cells[i].c, upc_threadof(&cells[i]), int, N - 1, -2, N / 2, >);
    LOOP(&whole[i], 0, int, 0, 1, N, <);
    LOOP(&star[i], upc_threadof(&star[i]), int, 0, 1, N * THREADS, <);
    LOOP(&rows[i][0], upc_threadof(&rows[i][0]), int, 0, 1, N, <);
    LOOP(&rows[i][5], upc_threadof(&rows[i][5]), int, N - 1, -1, N, >);
    LOOP(rows[i], upc_threadof(&rows[i][0]), int, 0, 1, N, <);
    LOOP(&blocks[9], upc_threadof(&blocks[9]), int, 0, 1, N, <);
}

/* Pointers that do not begin at a block. */
static void pointers(void) {
    shared [4] short *p = &blocks[6];
    shared int *q = &cyclic[3];
    shared [3] int *r = (shared [3] int *)&star[0];
    LOOP(&p[i], upc_threadof(&p[i]), int, 0, 1, N - 8, <);
    LOOP(p + 2 * i, upc_threadof(p + 2 * i), int, 0, 1, N / 2 - 4, <);
    LOOP(&p[i], upc_threadof(&p[i]), int, N - 9, -1, N - 8, >);
    LOOP(&q[i], upc_threadof(&q[i]), int, 0, 1, N - 8, <);
    LOOP(&r[i], upc_threadof(&r[i]), int, 0, 1, N - 8, <);
    LOOP(&r[i], upc_threadof(&r[i]), int, N - 9, -1, N - 8, >);
}

static void empty_ranges(void) {
    int i, n = 0, count = 0;
    upc_forall (i = 9; i < 3; i++; i) count++;
    CHECK(i == 9);
    upc_forall (i = 0; i < n; i++; &blocks[i]) count++;
    CHECK(i == 0);
    upc_forall (i = 4; i <= 3; i += 2; &cyclic[i]) count++;
    CHECK(i == 4);
    upc_forall (i = 0; i >= 1; i--; &whole[i]) count++;
    CHECK(i == 0 && count == 0);
    for (i = 7; i < 7; i++) whole[i] = 1;
    CHECK(i == 7);
}

static void last_values(void) {
    int i;
    upc_forall (i = 0; i < 10; i += 4; i) ;
    CHECK(i == 12);
    upc_forall (i = 10; i >= 0; i -= 3; &cyclic[i]) ;
    CHECK(i == -2);
    for (i = 0; i <= 9; i += 2) whole[i] = i;
    CHECK(i == 10);
    for (i = 8; i > 1; i -= 3) whole[i] = i;
    CHECK(i == -1);
}

static int inner_runs;
static void inner(int n) {
    int j;
    upc_forall (j = 0; j < n; j++; j) inner_runs++;
}

/* In the dynamic extent of another upc_forall all iterations are executed. */
static void nested(void) {
    int i, j, runs = 0, own = 0;
    upc_forall (i = 0; i < N; i++; &blocks[i]) {
        own++;
        upc_forall (j = 0; j < 5; j++; &cyclic[j]) runs++;
        inner(7);
    }
    CHECK(runs == 5 * own && inner_runs == 7 * own);
    inner_runs = 0;
    inner(3 * THREADS);
    CHECK(inner_runs == 3);
}

int main(void) {
    integers();
    addresses();
    pointers();
    empty_ranges();
    last_values();
    nested();
    return finish();
}

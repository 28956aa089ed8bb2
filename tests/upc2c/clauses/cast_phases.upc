/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.4.3: what conversions between pointers-to-shared do to the phase; null pointers. */
#include "check.h"

shared [4] int fours[8 * THREADS];
shared [3] int threes[9 * THREADS];
shared int cyclic[8 * THREADS];
shared [] int flat[8];
typedef struct { int x, y; } pair;
shared [4] pair pairs[8 * THREADS];

#define SAME(p, q) (upc_threadof(p) == upc_threadof(q) && upc_addrfield(p) == upc_addrfield(q))

static int is_null(shared void *p) { return p == NULL && !p; }
static shared [4] int *same(shared [4] int *p) { return p; }
static shared void *any(shared [4] int *p) { return p; }

static void test_phases(void)
{
    shared [4] int *four = &fours[6], *four2;
    shared [4] const volatile int *qualified = four;
    shared [3] int *three;
    shared int *one;
    shared [] int *none;
    shared void *g;
    shared [4] pair *pp;

    CHECK(upc_phaseof(four) == 2);
    g = four;  /* to a generic pointer: kept */
    CHECK(upc_phaseof(g) == 2 && SAME(g, four) && g == four && four == g);
    four2 = g;  /* and back */
    CHECK(upc_phaseof(four2) == 2 && four2 == four && four2 + 1 == &fours[7]);
    CHECK(qualified == four && upc_phaseof((shared [4] int *)qualified) == 2);
    three = (shared [3] int *)four;  /* another block size: 0 */
    CHECK(upc_phaseof(three) == 0 && SAME(three, four));
    CHECK(upc_phaseof((shared [4] unsigned *)four) == 2);  /* the same sizes: kept */
    CHECK(upc_phaseof((shared [4] char *)four) == 0);      /* another element size: 0 */
    one = (shared int *)four;
    none = (shared [] int *)four;
    CHECK(upc_phaseof(one) == 0 && SAME(one, four) && upc_phaseof(none) == 0 && SAME(none, four));
    CHECK(none + 1 == (shared [] int *)(four + 1));
    four2 = (shared [4] int *)one;
    CHECK(upc_phaseof(four2) == 0 && SAME(four2, four) && four2 + 3 > four2);
    four2 = (shared [4] int *)none;
    CHECK(upc_phaseof(four2) == 0 && SAME(four2, four));
    g = one;
    CHECK(upc_phaseof(g) == 0 && SAME(g, four) && g == one && g == four);
    one = (shared int *)none;
    none = (shared [] int *)one;
    CHECK(SAME(one, none));
    one = g;
    none = g;
    CHECK(SAME(one, four) && SAME(none, four));
    pp = (shared [4] pair *)four;
    CHECK(upc_phaseof(pp) == 0 && upc_phaseof(&pairs[3].y) == 0 && upc_phaseof(&pairs[3]) == 3);
    CHECK(upc_phaseof(upc_resetphase(four)) == 0 && SAME(upc_resetphase(four), four));
    CHECK(upc_phaseof(any(four)) == 2 && same(any(four)) == four && upc_phaseof(same(any(four))) == 2);
    CHECK(upc_phaseof((shared void *)four) == 2);
    /* The indefinite type of a whole block, and rows of blocks. */
    CHECK(((shared [] int *)&fours[4])[3] == 0);
}

static void test_private(void)
{
    const int mine = MYTHREAD * 4;
    int *p = (int *)&fours[mine + 1], i;
    p[0] = 11;
    *(int *)&cyclic[MYTHREAD] = 12;
    upc_barrier;
    for (i = 0; i < THREADS; i++) CHECK(fours[i * 4 + 1] == 11 && cyclic[i] == 12);
    CHECK((char *)&fours[mine + 3] - (char *)&fours[mine] == 3 * sizeof(int));
    CHECK((int *)(shared int *)0 == NULL && (void *)(shared void *)NULL == 0);
    CHECK(((pair *)&pairs[MYTHREAD * 4])->y == 0);
    if (MYTHREAD == 0) CHECK((int *)flat + 2 == (int *)&flat[2] && *(const int *)flat == 0);
}

static void test_null(void)
{
    shared [4] int *four = 0;
    shared int *one = NULL;
    shared void *g = (void *)0;
    shared [] int *none = four ? flat : 0;
    shared int *list[2] = { 0 };
    _Bool truth = one;
    CHECK(!four && !one && !g && !none && !list[0] && !list[1] && !truth);
    CHECK(four == 0 && NULL == one && g == four && g == one && (shared int *)0 == one && four == g);
    CHECK(is_null(0) && is_null(four) && is_null(NULL) && !is_null(flat));
    CHECK(upc_threadof(one) == 0 && upc_phaseof(four) == 0 && upc_addrfield(one) == 0);
    one = cyclic;
    truth = one;
    CHECK(truth && one && !!one && (one || four) && !(one && four) && (four ? 0 : 1) && (one ?: 0) == cyclic);
    CHECK((four ?: fours) == fours && one != NULL && 0 != one && (int)(_Bool)one == 1);
    g = MYTHREAD >= 0 ? (shared void *)one : four;
    CHECK(g == cyclic);
    while (one) one = 0;
    for (four = fours; four; four = 0) ;
    do ; while (four);
    if (one || four) CHECK(0); else if (g) CHECK(1);
    CHECK((one = 0) == 0 && (g = fours + 5, upc_phaseof(g) == 1));
    (void)one;
    (void)(one + 0, 3);
}

int main(void)
{
    test_phases();
    test_private();
    test_null();
    return finish();
}

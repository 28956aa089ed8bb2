/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.4.2: pointers-to-shared with block size 1 and the indefinite one. */
#include "check.h"

enum { N = 10 };
shared int cyclic[N * THREADS];
shared [1] struct odd { char c[3]; } odds[N * THREADS];
shared [] long flat[N * 4];
shared [0] short zero[N];

static void test_cyclic(void)
{
    const int n = N * THREADS;
    shared int *p, *q;
    int i, j;
    for (i = 0; i < n; i++) {
        p = cyclic + i;
        CHECK(upc_threadof(p) == i % THREADS && upc_phaseof(p) == 0);
        CHECK(upc_addrfield(p) == upc_addrfield(cyclic) + i / THREADS * sizeof(int));
        CHECK(upc_threadof(&odds[i]) == i % THREADS && upc_phaseof(&odds[i]) == 0);
        CHECK(upc_addrfield(&odds[i]) == upc_addrfield(&odds[0]) + i / THREADS * sizeof(struct odd));
        CHECK(&odds[i] - odds == i && odds - &odds[i] == -i);
        for (j = 0; j < n; j++) {
            q = &cyclic[j];
            CHECK(q - p == j - i && p + (j - i) == q && q - (j - i) == p);
            CHECK((p < q) == (i < j) && (p <= q) == (i <= j) && (p > q) == (i > j) && (p >= q) == (i >= j));
            CHECK((p == q) == (i == j) && (p != q) == (i != j));
        }
    }
    p = cyclic;
    q = p++ + 1;
    CHECK(p == q && *&p == &cyclic[1]);
    q = p += n - 2;
    CHECK(p == &cyclic[n - 1] && q == p && p-- == q && --p == q - 2 && ++p == q - 1);
    p -= n - 2;
    CHECK(p == cyclic);
}

static void test_indefinite(void)
{
    shared [] long *p = flat, *q;
    shared [] short *z = zero + 3;
    unsigned char small = 200;
    unsigned long long large = (unsigned long long)-3;
    int i;
    for (i = 0; i < N * 4; i++) {
        q = p + i;
        CHECK(upc_threadof(q) == 0 && upc_phaseof(q) == 0);
        CHECK(upc_addrfield(q) == upc_addrfield(p) + i * sizeof(long));
        CHECK(q - p == i && p - q == -i && q - i == p && (p < q) == (i > 0));
    }
    q = p + 30;
    q = q + large;  /* wraps as an index of C does */
    CHECK(q == p + 27);
    q += large;
    CHECK(q - p == 24);
    CHECK((p + small) - p == 200 && p + 'A' == p + 65);
    CHECK(z - zero == 3 && z[-3 + 0] == 0 && &z[-1] == zero + 2 && &(-1)[z] == zero + 2);
}

/* Pointers in all kinds of places, with operands that are evaluated once. */
static int calls;
static shared int *next(shared int *p) { calls++; return p + 1; }
struct holder { int pad; shared int *p; shared [3] int *blocked[2]; };
shared [3] int threes[9 * THREADS];

static void test_places(void)
{
    struct holder h = { 1, cyclic, { threes, &threes[4] } }, *hp = &h;
    shared int *list[3] = { cyclic, 0, &cyclic[N - 1] }, **pp = list;
    shared int *p;
    h.p++;
    CHECK(h.p == &cyclic[1]);
    hp->blocked[1] += 2;
    CHECK(h.blocked[1] == &threes[6] && upc_phaseof(h.blocked[1]) == 0);
    p = (*pp++)++;
    CHECK(p == cyclic && list[0] == &cyclic[1] && pp == &list[1]);
    p = ++*pp--;
    pp[2] -= N - 1;
    CHECK(list[2] == cyclic);
    p = next(next(cyclic));
    CHECK(calls == 2 && p == &cyclic[2]);
    p = next(p) + next(p)[-1] * 0;
    CHECK(calls == 4 && p == &cyclic[3]);
    CHECK((p = &cyclic[5], p - 2) == &cyclic[3]);
    CHECK(*(volatile int *)&calls == 4);
}

int main(void)
{
    test_cyclic();
    test_indefinite();
    test_places();
    return finish();
}

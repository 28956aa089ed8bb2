/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic and comparisons of pointers-to-shared against the indices that they stand for. */
#include <upc.h>
#include "../../upc2c/clauses/check.h"
#define K 5
shared [K] short b[K * THREADS * 6];
shared short c[THREADS * 30];
shared [] short n[30];
shared [K] struct { char x[3]; } s[K * THREADS * 6];
typedef shared [K] short *PB;
int main(void) {
    int i, j, L = K * THREADS * 6;
    PB p;
    shared short *pc;
    shared [] short *pn;
    if (!MYTHREAD) {
        for (i = 0; i < L; i++) {
            b[i] = i;
            s[i].x[1] = i;
        }
        for (i = 0; i < THREADS * 30; i++) c[i] = i;
        for (i = 0; i < 30; i++) n[i] = i;
    }
    upc_barrier;
    for (i = 0; i < L; i += 3)
        for (j = 0; j < L; j += 7) {
            PB x = &b[i], y = &b[j];
            CHECK(x - y == i - j);
            CHECK((x < y) == (i < j));
            CHECK((x >= y) == (i >= j));
            CHECK(x + (j - i) == y);
            CHECK(x - (i - j) == y);
            CHECK(&x[j - i] == y);
            CHECK(*(x + (j - i)) == j);
            CHECK(upc_phaseof(x) == i % K);
            CHECK(&s[i] - &s[j] == i - j);
        }
    for (i = 0; i < THREADS * 30; i += 7)
        for (j = 0; j < THREADS * 30; j += 11) {
            pc = &c[i];
            CHECK(&c[j] - pc == j - i);
            CHECK(pc[j - i] == j);
            CHECK((pc <= &c[j]) == (i <= j));
            pc -= i - j;
            CHECK(*pc == j);
        }
    for (pn = n + 29, i = 29; pn >= n; pn--, i--) CHECK(*pn == i);
    CHECK(pn + 1 == n);
    p = b + L;
    for (i = L; i-- > 0;) CHECK(*--p == i);
    p = b;
    i = 0;
    while (i < L) {
        CHECK(*p == i);
        p += 2;
        i += 2;
    }
    unsigned char uc = 3;
    p = b;
    p = uc + p;
    CHECK(*p == 3);
    p = p + (long long)4 - 2u;
    CHECK(*p == 5);
    CHECK(*(p -= 5) == 0);
    size_t k = 7;
    CHECK(p[k] == 7);
    CHECK((p + k) - p == (ptrdiff_t)k);
    CHECK(*&p[2] == 2);
    CHECK(&*p == b);
    CHECK(&p[0] == b);
    CHECK(2 [p] == 2);
    PB arr[3] = {b, b + 1, b + 2};
    CHECK(*arr[2] == 2);
    PB *pp = arr;
    CHECK(**++pp == 1);
    CHECK(*(*pp)++ == 1);
    CHECK(**pp == 2);
    CHECK(pp[1][3] == 5);
    CHECK((pp[1] + 1)[1] == 4);
    int d = 0;
    for (PB q = b; q < b + L; q += K) d++;
    CHECK(d == 6 * THREADS);
    CHECK((s + 3)->x[1] == 3);
    CHECK(s[4].x + 1 == &s[4].x[1]);
    CHECK((&s[4])->x[1] == 4);
    return finish();
}

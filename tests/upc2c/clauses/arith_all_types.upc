/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointer arithmetic over every pair of elements, with integers of every type. */
#include "check.h"
shared [3] char c3[3 * THREADS * 2];
shared [5] double d5[5 * THREADS * 2];
shared [1] struct {
    char x[7];
} s1[4 * THREADS];
shared [] long li[20];
shared [4] int (*rows)[2], m[4 * THREADS][2];
#define T(P, A, N, B)                                                                                                \
    do {                                                                                                             \
        int i, j;                                                                                                    \
        P p, q;                                                                                                      \
        for (i = 0; i < N; i++) {                                                                                    \
            p = A + i;                                                                                               \
            CHECK(upc_threadof(p) == (size_t)(i / B % THREADS));                                                     \
            CHECK(upc_phaseof(p) == (size_t)(i % B));                                                                \
            for (j = 0; j < N; j++) {                                                                                \
                q = &A[j];                                                                                           \
                CHECK(q - p == j - i && p + (j - i) == q && q - (j - i) == p && (p < q) == (i < j) &&                \
                      (p <= q) == (i <= j) && (p == q) == (i == j) && (p != q) == (i != j) && (p >= q) == (i >= j)); \
                q += i - j;                                                                                          \
                CHECK(q == p);                                                                                       \
            }                                                                                                        \
            p++;                                                                                                     \
            --p;                                                                                                     \
            CHECK(p == &A[i]);                                                                                       \
        }                                                                                                            \
    } while (0)
typedef shared [3] char *cp;
typedef shared [5] double *dp;
typedef shared [1] __typeof__(s1[0]) *sp1;
int main(void)
{
    long k;
    unsigned u = 2;
    unsigned char uc = 3;
    short sh = -2;
    enum { TWO = 2 } e = TWO;
    _Bool b = 1;
    cp p;
    int i;
    T(cp, c3, (6 * THREADS), 3);
    T(dp, d5, (10 * THREADS), 5);
    T(sp1, s1, (4 * THREADS), 1);
    for (i = 0; i < 20; i++) li[i] = 0;
    CHECK(&li[19] - li == 19 && upc_threadof(&li[19]) == 0 && upc_phaseof(&li[19]) == 0);
    p = c3 + 4;
    k = -3;
    CHECK(p + k == c3 + 1 && p + u == c3 + 6 - 0 && p - u == c3 + 2 && p + uc == &c3[7 % (6 * THREADS)] ||
          THREADS == 1);
    CHECK(p + sh == c3 + 2 && p - e == c3 + 2 && p - b == c3 + 3 && e + c3 == &e[c3] && p - 4ULL == c3 &&
          p + -4 == c3 && p - (size_t)1 == c3 + 3);
    p -= sh;
    CHECK(p - c3 == 6 || THREADS == 1);
    p = &c3[5];
    p += k;
    p += (char)1;
    CHECK(p == c3 + 3);
    p = &p[-1];
    CHECK(p == &c3[2] && &p[1] - 1 == p && &*p == p && &(*p) + 1 == c3 + 3);
    rows = m;
    CHECK(rows + 1 == &m[1] && *(rows + 1) == &m[1][0] && &rows[3][1] - &rows[0][0] == 7 && rows++ == m &&
          rows - m == 1 && (*rows)[1] == m[1][1]);
    CHECK(upc_threadof(&m[2][0]) == 1 % THREADS && upc_phaseof(&m[1][1]) == 3);
    {
        shared [] struct {
            int a;
            shared [3] char *p;
        } *x = upc_alloc(2 * sizeof *x);
        x[1].p = c3;
        x[1].p++;
        x[1].p += 2;
        CHECK(*x[1].p == 0 && x[1].p - c3 == 3 && x[1].p-- - c3 == 3 && --x[1].p == c3 + 1);
        upc_free(x);
    }
    return finish();
}

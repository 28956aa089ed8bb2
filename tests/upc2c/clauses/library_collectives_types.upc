/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions and scans of every type, and every collective that moves data. */
#include "check.h"
#include <upc_collective.h>
#define RED(S, T, B)                                                                                                 \
    shared [B] T src##S[B * THREADS];                                                                                 \
    shared T dst##S;                                                                                                 \
    shared [B] T pre##S[B * THREADS];                                                                                 \
    static T fn##S(T a, T b) { return a > b ? a : b; }                                                               \
    static void t##S(void)                                                                                           \
    {                                                                                                                \
        int i;                                                                                                       \
        T e = 0;                                                                                                     \
        upc_forall(i = 0; i < B * THREADS; i++; &src##S[i]) src##S[i] = (T)(i % 5);                                  \
        upc_all_reduce##S(&dst##S, src##S, UPC_ADD, B *THREADS, B, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);          \
        for (i = 0; i < B * THREADS; i++) e = (T)(e + (T)(i % 5));                                                   \
        CHECK(dst##S == e);                                                                                          \
        upc_barrier;                                                                                                 \
        upc_all_reduce##S(&dst##S, src##S, UPC_FUNC, B *THREADS, B, fn##S, 0);                                       \
        CHECK(dst##S == (B * THREADS > 4 ? 4 : B * THREADS - 1));                                                    \
        upc_barrier;                                                                                                 \
        upc_all_prefix_reduce##S(pre##S, src##S, UPC_ADD, B *THREADS, B, NULL, 0);                                   \
        for (i = 0, e = 0; i < B * THREADS; i++) {                                                                   \
            e = (T)(e + src##S[i]);                                                                                  \
            CHECK(pre##S[i] == e);                                                                                   \
        }                                                                                                            \
        upc_barrier;                                                                                                 \
    }
RED(C, signed char, 3)
RED(UC, unsigned char, 4) RED(S, short, 5) RED(US, unsigned short, 2) RED(I, int, 7) RED(UI, unsigned, 3)
    RED(L, long, 4) RED(UL, unsigned long, 5) RED(F, float, 2) RED(D, double, 6)
        RED(LD, long double, 3) typedef struct {
    double v;
    int i;
} pair;
shared [] pair root[8];
shared pair each[THREADS];
shared pair permuted[THREADS];
shared int perm[THREADS];
shared [5] short bc[5 * THREADS];
shared [] short bsrc[5];
static void moves(void)
{
    int i;
    if (!MYTHREAD) {
        for (i = 0; i < THREADS; i++) {
            root[i].v = i / 2.;
            root[i].i = -i;
        }
        for (i = 0; i < 5; i++) bsrc[i] = i * i;
    }
    perm[MYTHREAD] = (MYTHREAD + 1) % THREADS;
    upc_all_broadcast(bc, bsrc, 5 * sizeof(short), 0);
    upc_all_scatter(each, root, sizeof(pair), UPC_IN_ALLSYNC);
    for (i = 0; i < 5; i++) CHECK(bc[5 * MYTHREAD + i] == i * i);
    CHECK(each[MYTHREAD].v == MYTHREAD / 2. && each[MYTHREAD].i == -MYTHREAD);
    upc_all_permute(permuted, each, perm, sizeof each[0], UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK(permuted[(MYTHREAD + 1) % THREADS].i == -MYTHREAD);
    upc_barrier;
    if (!MYTHREAD)
        for (i = 0; i < THREADS; i++) root[i].i = 99;
    upc_all_gather(root, permuted, sizeof(pair), 0);
    for (i = 0; i < THREADS; i++) CHECK(root[(i + 1) % THREADS].i == -i);
    {
        shared int *s = upc_all_alloc(THREADS, THREADS * sizeof(int)),
                   *d = upc_all_alloc(THREADS, THREADS * sizeof(int));
        int *l = (int *)(s + MYTHREAD);
        for (i = 0; i < THREADS; i++) l[i] = MYTHREAD * 100 + i;
        upc_all_exchange(d, s, sizeof(int), 0);
        l = (int *)(d + MYTHREAD);
        for (i = 0; i < THREADS; i++) CHECK(l[i] == 100 * i + MYTHREAD);
        upc_all_gather_all(d, perm, sizeof(int), 0);
        for (i = 0; i < THREADS; i++) CHECK(l[i] == (i + 1) % THREADS);
        upc_all_free(s);
        upc_all_free(d);
    }
}
int main(void)
{
    tC();
    tUC();
    tS();
    tUS();
    tI();
    tUI();
    tL();
    tUL();
    tF();
    tD();
    tLD();
    moves();
    return finish();
}

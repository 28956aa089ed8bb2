/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives and atomics of every type, and every pair of synchronisation flags. */
#include <upc.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <math.h>
#include "../../upc2c/clauses/check.h"
#define T(S, type, val)                                                                                      \
    do {                                                                                                     \
        static shared type src[THREADS * 4];                                                                 \
        static shared type res;                                                                              \
        static shared type pre[THREADS * 4];                                                                 \
        int i;                                                                                               \
        upc_forall (i = 0; i < 4 * THREADS; i++; &src[i]) src[i] = (type)(val);                              \
        upc_barrier;                                                                                         \
        upc_all_reduce##S(&res, src, UPC_ADD, 4 * THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);       \
        type s = 0;                                                                                          \
        for (i = 0; i < 4 * THREADS; i++) s += (type)(val);                                                  \
        CHECK(res == s);                                                                                     \
        upc_all_reduce##S(&res, src, UPC_MAX, 4 * THREADS, 1, NULL, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);        \
        s = (type)0;                                                                                         \
        for (i = 0; i < 4 * THREADS; i++)                                                                    \
            if (!i || (type)(val) > s) s = (type)(val);                                                      \
        upc_barrier;                                                                                         \
        CHECK(res == s);                                                                                     \
        upc_all_prefix_reduce##S(pre, src, UPC_MIN, 4 * THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); \
        for (i = 0; i < 4 * THREADS; i++) {                                                                  \
            if (!i || (type)(val) < s) s = (type)(val);                                                      \
            CHECK(pre[i] == s);                                                                              \
        }                                                                                                    \
        upc_barrier;                                                                                         \
    } while (0)
#define A(U, type)                                                                                        \
    do {                                                                                                  \
        static shared type v;                                                                             \
        upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(                                               \
            U, UPC_ADD | UPC_SUB | UPC_GET | UPC_SET | UPC_CSWAP | UPC_INC | UPC_DEC | UPC_MIN | UPC_MAX, \
            0);                                                                                           \
        type o, x = 5, y = 7;                                                                             \
        if (!MYTHREAD) upc_atomic_strict(d, 0, UPC_SET, &v, &x, 0);                                       \
        upc_barrier;                                                                                      \
        upc_atomic_relaxed(d, &o, UPC_ADD, &v, &y, 0);                                                    \
        upc_barrier;                                                                                      \
        upc_atomic_relaxed(d, &o, UPC_GET, &v, 0, 0);                                                     \
        CHECK(o == 5 + 7 * THREADS);                                                                      \
        upc_barrier;                                                                                      \
        upc_atomic_strict(d, &o, UPC_SUB, &v, &y, 0);                                                     \
        upc_atomic_strict(d, 0, UPC_INC, &v, 0, 0);                                                       \
        upc_barrier;                                                                                      \
        CHECK(v == (type)(5 + THREADS));                                                                  \
        upc_barrier;                                                                                      \
        if (!MYTHREAD) {                                                                                  \
            type e = 5 + THREADS, n = 2;                                                                  \
            upc_atomic_strict(d, &o, UPC_CSWAP, &v, &e, &n);                                              \
            CHECK(o == e && v == 2);                                                                      \
            upc_atomic_strict(d, &o, UPC_MAX, &v, &x, 0);                                                 \
            CHECK(v == 5);                                                                                \
        }                                                                                                 \
        upc_barrier;                                                                                      \
        upc_all_atomicdomain_free(d);                                                                     \
    } while (0)
shared int *shared pp;
shared int tgt[2 * THREADS];
shared [3] int b3[3 * THREADS];
shared [3] int src3[3 * THREADS];
int main(void) {
    T(C, signed char, i % 5);
    T(UC, unsigned char, i % 4 + 1);
    T(S, short, i * 3);
    T(US, unsigned short, i);
    T(I, int, i - 7);
    T(UI, unsigned, i + 1);
    T(L, long, i * 1000L);
    T(UL, unsigned long, i * 7ul);
    T(F, float, i * 0.5f);
    T(D, double, i * 0.25);
    T(LD, long double, i * 2.0L);
    A(UPC_INT, int);
    A(UPC_UINT, unsigned);
    A(UPC_LONG, long);
    A(UPC_ULONG, unsigned long);
    A(UPC_INT64, int64_t);
    A(UPC_DOUBLE, double);
    A(UPC_FLOAT, float);
    upc_atomicdomain_t *d =
        upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET | UPC_SET | UPC_CSWAP, UPC_ATOMIC_HINT_LATENCY);
    shared void *o, *n = &tgt[1];
    if (!MYTHREAD) upc_atomic_strict(d, 0, UPC_SET, (shared void *)&pp, &n, 0);
    upc_barrier;
    upc_atomic_relaxed(d, &o, UPC_GET, (shared void *)&pp, 0, 0);
    CHECK(o == &tgt[1]);
    upc_barrier;
    upc_all_atomicdomain_free(d);
    upc_flag_t fl[] = {UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, UPC_IN_MYSYNC | UPC_OUT_MYSYNC,
                       UPC_IN_NOSYNC | UPC_OUT_NOSYNC, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC, 0};
    int k, i;
    for (k = 0; k < 5; k++) {
        upc_barrier;
        for (i = 0; i < 3; i++) src3[3 * MYTHREAD + i] = k * 100 + MYTHREAD;
        upc_barrier;
        upc_all_broadcast(b3, &src3[3 * (THREADS - 1)], 3 * sizeof(int), fl[k]);
        upc_barrier;
        for (i = 0; i < 3; i++) CHECK(b3[3 * MYTHREAD + i] == k * 100 + THREADS - 1);
    }
    return finish();
}

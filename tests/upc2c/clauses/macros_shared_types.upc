/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros that build shared types, barriers and loops by pasting. */
#include "check.h"
#define SHARED(B, T) shared [B] T
#define DECL(B, T, N) SHARED(B, T) arr_##T##_##B[N * THREADS]
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define PTR(B, T) SHARED(B, T) *
#define FOR_ALL(i, n, p) upc_forall(i = 0; i < (n); i++; (p))
#define STR(x) #x
#define XSTR(x) STR(x)
DECL(2, int, 6);
DECL(3, double, 9);
typedef XCAT(sha, red)[4] long XCAT(blk, 4);
blk4 quad[4 * THREADS];
#define GEN(T)                                                                                                       \
    static T XCAT(sum_, T)(PTR(2, T) p, int n)                                                                       \
    {                                                                                                                \
        T s = 0;                                                                                                     \
        while (n--) s += *p++;                                                                                       \
        return s;                                                                                                    \
    }
GEN(int)
typedef shared [] char *sstr;
int main(void)
{
    int i;
    FOR_ALL(i, 6 * THREADS, &arr_int_2[i]) arr_int_2[i] = i;
    FOR_ALL(i, 9 * THREADS, i) arr_double_3[i] = i * .5;
    upc_forall(i = 0; i < 4 * THREADS; i++; &XCAT(qu, ad)[i]) quad[i] = i;
    upc_barrier XCAT(1, 2);
    CHECK(sum_int(arr_int_2, 6 * THREADS) == (6 * THREADS) * (6 * THREADS - 1) / 2);
    CHECK(arr_double_3[9 * THREADS - 1] == (9 * THREADS - 1) * .5);
    CHECK(quad[4 * THREADS - 1] == 4 * THREADS - 1);
    CHECK(upc_blocksizeof(XCAT(arr_, double_3)) == 3);
    CHECK(sizeof XSTR(SHARED(2, int)) == sizeof "shared [2] int");
    return finish();
}

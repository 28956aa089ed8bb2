/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.4.2: pointers-to-shared with block sizes of 2 and more, against a model of the layout. */
#include "check.h"

struct odd { char c[5]; };
enum { N = 24 };

/* Element i of an array with this block size: thread, phase, and its place in the thread's memory. */
static int model_thread(long i, long block) { return (int)(i / block % THREADS); }
static int model_phase(long i, long block) { return (int)(i % block); }
static long model_local(long i, long block) { return i / block / THREADS * block + i % block; }

#define TEST(NAME, B, T)                                                                                    \
    shared [B] T NAME[N * THREADS];                                                                         \
    static void test_##NAME(void)                                                                           \
    {                                                                                                       \
        const long n = (long)N * THREADS;                                                                   \
        shared [B] T *p, *q;                                                                                \
        long i, j;                                                                                          \
        for (i = 0; i < n; i++) {                                                                           \
            p = &NAME[i];                                                                                   \
            CHECK(upc_threadof(p) == model_thread(i, B));                                                   \
            CHECK(upc_phaseof(p) == model_phase(i, B));                                                     \
            CHECK(upc_addrfield(p) == upc_addrfield(NAME) + model_local(i, B) * sizeof(T));                 \
            for (j = 0; j < n; j += 1 + (i + j) % 5) {                                                      \
                q = p + (j - i);                                                                            \
                CHECK(q == &NAME[j] && upc_phaseof(q) == model_phase(j, B));                                \
                CHECK(q == (j - i) + p && p - (i - j) == q);                                                \
                CHECK(q - p == j - i && p - q == i - j);                                                    \
                CHECK((p < q) == (i < j) && (p <= q) == (i <= j) && (p > q) == (i > j) && (p >= q) == (i >= j)); \
                CHECK((p == q) == (i == j) && (p != q) == (i != j));                                        \
                q += (int)(i - j);                                                                          \
                CHECK(q == p && upc_phaseof(q) == upc_phaseof(p));                                          \
                q -= (short)(i - j);                                                                        \
                CHECK(q == &NAME[j]);                                                                       \
            }                                                                                               \
        }                                                                                                   \
        p = NAME;                                                                                           \
        for (i = 0; i < n; i++) {                                                                           \
            q = p++;                                                                                        \
            CHECK(q == NAME + i && p == NAME + i + 1 && upc_phaseof(p) == model_phase(i + 1, B));           \
        }                                                                                                   \
        for (; i > 0; i--) {                                                                                \
            CHECK(--p == NAME + (i - 1) && upc_phaseof(p) == model_phase(i - 1, B));                        \
            CHECK(++p == NAME + i);                                                                         \
            q = p--;                                                                                        \
            CHECK(q - p == 1 && p == NAME + (i - 1));                                                       \
        }                                                                                                   \
    }

TEST(two_chars, 2, char)
TEST(three_ints, 3, int)
TEST(four_doubles, 4, double)
TEST(seven_odds, 7, struct odd)
TEST(all_of_one, N, long)

/* [*] is a block of the size that gives each thread one. */
shared [*] int star[N * THREADS];

int main(void)
{
    shared [N] int *p = star;
    test_two_chars();
    test_three_ints();
    test_four_doubles();
    test_seven_odds();
    test_all_of_one();
    CHECK(upc_blocksizeof(star) == N && upc_threadof(p + N * MYTHREAD) == MYTHREAD);
    CHECK(upc_threadof(&star[N * THREADS - 1]) == THREADS - 1 && upc_phaseof(&star[N - 1]) == N - 1);
    return finish();
}

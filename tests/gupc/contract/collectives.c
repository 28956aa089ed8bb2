/* SPDX-License-Identifier: BSD-3-Clause */
/* Every collective, with flags and operators as objects have them. Three threads. */
#include "contract.h"

enum { IN_ALLSYNC = 1, IN_MYSYNC = 2, IN_NOSYNC = 4, OUT_ALLSYNC = 8, OUT_MYSYNC = 16, OUT_NOSYNC = 32 };
enum { SYNC = IN_ALLSYNC | OUT_ALLSYNC };
enum {
    ADD = 1,
    MULT = 2,
    AND = 4,
    OR = 8,
    XOR = 16,
    LOGAND = 32,
    LOGOR = 64,
    MIN = 128,
    MAX = 256,
    FUNC = 65536,
    NONCOMM_FUNC = 131072
};
enum { THREE = 3, BYTES = 8 };

static unsigned char source[THREE][BYTES] SHARED, target[THREE][BYTES] SHARED;
static int permutation[1] SHARED;

/* ---- bytes ---- */

static void fill_source(void) {
    unsigned char(*mine)[BYTES] = own(source);
    for (int b = 0; b < THREE; ++b) memset(mine[b], 1 + 10 * MYTHREAD + b, BYTES);
    memset(own(target), 0, sizeof target);
}
/* Block b of the caller's target is block `of` of `thread`; 0 where there should be nothing. */
static int target_is(int b, int thread, int of) {
    const unsigned char *const got = ((unsigned char(*)[BYTES])own(target))[b];
    for (int i = 0; i < BYTES; ++i)
        if (got[i] != (thread < 0 ? 0 : 1 + 10 * thread + of)) return 0;
    return 1;
}

static void data(void) {
    const P dst = at(target, 0, 0), src = at(source, 0, 0);
    fill_source();
    upc_all_broadcast(dst, at(&source[1], 2, 0), BYTES, SYNC);
    CHECK(target_is(0, 2, 1) && target_is(1, -1, 0));
    fill_source();
    upc_all_scatter(dst, at(source, 1, 0), BYTES, IN_MYSYNC | OUT_MYSYNC), barrier_all();
    CHECK(target_is(0, 1, MYTHREAD) && target_is(1, -1, 0));
    fill_source(), barrier_all();
    upc_all_gather(at(target, 2, 0), src, BYTES, IN_NOSYNC | OUT_NOSYNC), barrier_all();
    for (int b = 0; b < THREE; ++b) CHECK(MYTHREAD == 2 ? target_is(b, b, 0) : target_is(b, -1, 0));
    barrier_all();
    fill_source();
    upc_all_gather_all(dst, src, BYTES, 0); /* no flags: all */
    for (int b = 0; b < THREE; ++b) CHECK(target_is(b, b, 0));
    fill_source();
    upc_all_exchange(dst, src, BYTES, SYNC);
    for (int b = 0; b < THREE; ++b) CHECK(target_is(b, b, MYTHREAD));
    fill_source();
    *(int *)own(permutation) = (MYTHREAD + 1) % THREE;
    upc_all_permute(dst, src, at(permutation, 0, 0), BYTES, SYNC);
    CHECK(target_is(0, neighbour(-1), 0) && target_is(1, -1, 0));
}

/* ---- numbers ---- */

/* Blocks of two elements: 1 2 on thread 0, 3 4 on thread 1, 5 on thread 2. Order counts in the function. */
#define REDUCE_TEST(N, T)                                                                                 \
    static T N##_from[2] SHARED, N##_to[2] SHARED;                                                        \
    static T N##_second(T a, T b) { return (void)a, b; }                                                  \
    static T N##_larger(T a, T b) { return a > b ? a : b; }                                               \
    static T N##_result(upc_op_t op, T (*function)(T, T)) {                                               \
        ((T *)own(N##_from))[0] = (T)(2 * MYTHREAD + 1), ((T *)own(N##_from))[1] = (T)(2 * MYTHREAD + 2); \
        ((T *)own(N##_to))[0] = 0;                                                                        \
        upc_all_reduce##N(at(N##_to, 1, 0), at(N##_from, 0, 0), op, 5, 2, function, SYNC);                \
        T result;                                                                                         \
        upc_memget(&result, at(N##_to, 1, 0), sizeof result);                                             \
        barrier_all();                                                                                    \
        return result;                                                                                    \
    }                                                                                                     \
    static void N##_test(void) {                                                                          \
        CHECK(N##_result(ADD, NULL) == 15 && N##_result(MULT, NULL) == 120);                              \
        CHECK(N##_result(MIN, NULL) == 1 && N##_result(MAX, NULL) == 5);                                  \
        CHECK(N##_result(LOGAND, NULL) == 1 && N##_result(LOGOR, NULL) == 1);                             \
        CHECK(N##_result(FUNC, N##_larger) == 5 && N##_result(NONCOMM_FUNC, N##_second) == 5);            \
        if (#N[0] != 'F' && #N[0] != 'D' && #N[1] != 'D')                                                 \
            CHECK(N##_result(AND, NULL) == 0 && N##_result(OR, NULL) == 7 && N##_result(XOR, NULL) == 1); \
        upc_all_prefix_reduce##N(at(N##_to, 0, 0), at(N##_from, 0, 0), ADD, 5, 2, NULL, SYNC);            \
        const T first = (T)((2 * MYTHREAD + 1) * (2 * MYTHREAD + 2) / 2), *const sums = own(N##_to);      \
        CHECK(sums[0] == first && (MYTHREAD == 2 || sums[1] == (T)(first + 2 * MYTHREAD + 2)));           \
        barrier_all();                                                                                    \
    }
REDUCED_TYPES(REDUCE_TEST)

/* ---- the library's own ---- */

static int numbers[2] SHARED;
static int backwards(P a, P b) {
    const int x = (int)__getsi2(a), y = (int)__getsi2(b);
    return x < y ? 1 : x > y ? -1 : 0;
}
static void others(void) {
    upc_coll_init();
    upc_coll_err(at(target, 0, 0), at(source, 0, 0), at(permutation, 0, 0), BYTES, SYNC, 0, 0, 0, 0);
    ((int *)own(numbers))[0] = (MYTHREAD * 5 + 1) % 7, ((int *)own(numbers))[1] = (MYTHREAD * 5 + 3) % 7;
    upc_all_sort(at(numbers, 0, 0), sizeof(int), 6, 2, backwards, SYNC); /* 1 3 6 1 4 6 */
    static const int sorted[] = {6, 6, 4, 3, 1, 1};
    CHECK(((int *)own(numbers))[0] == sorted[2 * MYTHREAD] &&
          ((int *)own(numbers))[1] == sorted[2 * MYTHREAD + 1]);
    barrier_all();
}

int upc_main(int argc, char **argv) {
    (void)argc, (void)argv;
    CHECK(THREADS == THREE);
    data();
#define RUN(N, T) N##_test();
    REDUCED_TYPES(RUN)
    others();
    return failures;
}

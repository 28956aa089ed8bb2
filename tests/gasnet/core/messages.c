/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages: each of the 119 numbered names and the seven others, with its arguments and payloads of many
 * sizes, to every node and itself. Each request is replied to in its own category, with its contents.
 */
#include "../client.h"

typedef gasnet_handlerarg_t arg_t;
#define SLOT (256 * 1024) /* of a segment, for each node: requests, then replies */

/* The value of argument i of a message with M arguments: all bits, both signs. */
#define V(i, M) ((arg_t)(0xBABE7000u + 0x10305071u * (i) + 0x80001u * (M)))
/* clang-format off */
#define PARAMS_0 
#define PARAMS_1 , arg_t a0
#define PARAMS_2 , arg_t a0, arg_t a1
#define PARAMS_3 , arg_t a0, arg_t a1, arg_t a2
#define PARAMS_4 , arg_t a0, arg_t a1, arg_t a2, arg_t a3
#define PARAMS_5 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4
#define PARAMS_6 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5
#define PARAMS_7 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5, arg_t a6
#define PARAMS_8 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5, arg_t a6, arg_t a7
#define PARAMS_9 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5, arg_t a6, arg_t a7, arg_t a8
#define PARAMS_10 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5, arg_t a6, arg_t a7, arg_t a8, arg_t a9
#define PARAMS_11 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5, arg_t a6, arg_t a7, arg_t a8, arg_t a9, arg_t a10
#define PARAMS_12 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5, arg_t a6, arg_t a7, arg_t a8, arg_t a9, arg_t a10, arg_t a11
#define PARAMS_13 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5, arg_t a6, arg_t a7, arg_t a8, arg_t a9, arg_t a10, arg_t a11, arg_t a12
#define PARAMS_14 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5, arg_t a6, arg_t a7, arg_t a8, arg_t a9, arg_t a10, arg_t a11, arg_t a12, arg_t a13
#define PARAMS_15 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5, arg_t a6, arg_t a7, arg_t a8, arg_t a9, arg_t a10, arg_t a11, arg_t a12, arg_t a13, arg_t a14
#define PARAMS_16 , arg_t a0, arg_t a1, arg_t a2, arg_t a3, arg_t a4, arg_t a5, arg_t a6, arg_t a7, arg_t a8, arg_t a9, arg_t a10, arg_t a11, arg_t a12, arg_t a13, arg_t a14, arg_t a15
#define PASS_0 
#define PASS_1 , a0
#define PASS_2 , a0, a1
#define PASS_3 , a0, a1, a2
#define PASS_4 , a0, a1, a2, a3
#define PASS_5 , a0, a1, a2, a3, a4
#define PASS_6 , a0, a1, a2, a3, a4, a5
#define PASS_7 , a0, a1, a2, a3, a4, a5, a6
#define PASS_8 , a0, a1, a2, a3, a4, a5, a6, a7
#define PASS_9 , a0, a1, a2, a3, a4, a5, a6, a7, a8
#define PASS_10 , a0, a1, a2, a3, a4, a5, a6, a7, a8, a9
#define PASS_11 , a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10
#define PASS_12 , a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11
#define PASS_13 , a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12
#define PASS_14 , a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13
#define PASS_15 , a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14
#define PASS_16 , a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15
#define VALUES_0 
#define VALUES_1 , V(0, 1)
#define VALUES_2 , V(0, 2), V(1, 2)
#define VALUES_3 , V(0, 3), V(1, 3), V(2, 3)
#define VALUES_4 , V(0, 4), V(1, 4), V(2, 4), V(3, 4)
#define VALUES_5 , V(0, 5), V(1, 5), V(2, 5), V(3, 5), V(4, 5)
#define VALUES_6 , V(0, 6), V(1, 6), V(2, 6), V(3, 6), V(4, 6), V(5, 6)
#define VALUES_7 , V(0, 7), V(1, 7), V(2, 7), V(3, 7), V(4, 7), V(5, 7), V(6, 7)
#define VALUES_8 , V(0, 8), V(1, 8), V(2, 8), V(3, 8), V(4, 8), V(5, 8), V(6, 8), V(7, 8)
#define VALUES_9 , V(0, 9), V(1, 9), V(2, 9), V(3, 9), V(4, 9), V(5, 9), V(6, 9), V(7, 9), V(8, 9)
#define VALUES_10 , V(0, 10), V(1, 10), V(2, 10), V(3, 10), V(4, 10), V(5, 10), V(6, 10), V(7, 10), V(8, 10), V(9, 10)
#define VALUES_11 , V(0, 11), V(1, 11), V(2, 11), V(3, 11), V(4, 11), V(5, 11), V(6, 11), V(7, 11), V(8, 11), V(9, 11), V(10, 11)
#define VALUES_12 , V(0, 12), V(1, 12), V(2, 12), V(3, 12), V(4, 12), V(5, 12), V(6, 12), V(7, 12), V(8, 12), V(9, 12), V(10, 12), V(11, 12)
#define VALUES_13 , V(0, 13), V(1, 13), V(2, 13), V(3, 13), V(4, 13), V(5, 13), V(6, 13), V(7, 13), V(8, 13), V(9, 13), V(10, 13), V(11, 13), V(12, 13)
#define VALUES_14 , V(0, 14), V(1, 14), V(2, 14), V(3, 14), V(4, 14), V(5, 14), V(6, 14), V(7, 14), V(8, 14), V(9, 14), V(10, 14), V(11, 14), V(12, 14), V(13, 14)
#define VALUES_15 , V(0, 15), V(1, 15), V(2, 15), V(3, 15), V(4, 15), V(5, 15), V(6, 15), V(7, 15), V(8, 15), V(9, 15), V(10, 15), V(11, 15), V(12, 15), V(13, 15), V(14, 15)
#define VALUES_16 , V(0, 16), V(1, 16), V(2, 16), V(3, 16), V(4, 16), V(5, 16), V(6, 16), V(7, 16), V(8, 16), V(9, 16), V(10, 16), V(11, 16), V(12, 16), V(13, 16), V(14, 16), V(15, 16)
#define TEST_0 1
#define TEST_1 a0 == V(0, 1)
#define TEST_2 a0 == V(0, 2) && a1 == V(1, 2)
#define TEST_3 a0 == V(0, 3) && a1 == V(1, 3) && a2 == V(2, 3)
#define TEST_4 a0 == V(0, 4) && a1 == V(1, 4) && a2 == V(2, 4) && a3 == V(3, 4)
#define TEST_5 a0 == V(0, 5) && a1 == V(1, 5) && a2 == V(2, 5) && a3 == V(3, 5) && a4 == V(4, 5)
#define TEST_6 a0 == V(0, 6) && a1 == V(1, 6) && a2 == V(2, 6) && a3 == V(3, 6) && a4 == V(4, 6) && a5 == V(5, 6)
#define TEST_7 a0 == V(0, 7) && a1 == V(1, 7) && a2 == V(2, 7) && a3 == V(3, 7) && a4 == V(4, 7) && a5 == V(5, 7) && a6 == V(6, 7)
#define TEST_8 a0 == V(0, 8) && a1 == V(1, 8) && a2 == V(2, 8) && a3 == V(3, 8) && a4 == V(4, 8) && a5 == V(5, 8) && a6 == V(6, 8) && a7 == V(7, 8)
#define TEST_9 a0 == V(0, 9) && a1 == V(1, 9) && a2 == V(2, 9) && a3 == V(3, 9) && a4 == V(4, 9) && a5 == V(5, 9) && a6 == V(6, 9) && a7 == V(7, 9) && a8 == V(8, 9)
#define TEST_10 a0 == V(0, 10) && a1 == V(1, 10) && a2 == V(2, 10) && a3 == V(3, 10) && a4 == V(4, 10) && a5 == V(5, 10) && a6 == V(6, 10) && a7 == V(7, 10) && a8 == V(8, 10) && a9 == V(9, 10)
#define TEST_11 a0 == V(0, 11) && a1 == V(1, 11) && a2 == V(2, 11) && a3 == V(3, 11) && a4 == V(4, 11) && a5 == V(5, 11) && a6 == V(6, 11) && a7 == V(7, 11) && a8 == V(8, 11) && a9 == V(9, 11) && a10 == V(10, 11)
#define TEST_12 a0 == V(0, 12) && a1 == V(1, 12) && a2 == V(2, 12) && a3 == V(3, 12) && a4 == V(4, 12) && a5 == V(5, 12) && a6 == V(6, 12) && a7 == V(7, 12) && a8 == V(8, 12) && a9 == V(9, 12) && a10 == V(10, 12) && a11 == V(11, 12)
#define TEST_13 a0 == V(0, 13) && a1 == V(1, 13) && a2 == V(2, 13) && a3 == V(3, 13) && a4 == V(4, 13) && a5 == V(5, 13) && a6 == V(6, 13) && a7 == V(7, 13) && a8 == V(8, 13) && a9 == V(9, 13) && a10 == V(10, 13) && a11 == V(11, 13) && a12 == V(12, 13)
#define TEST_14 a0 == V(0, 14) && a1 == V(1, 14) && a2 == V(2, 14) && a3 == V(3, 14) && a4 == V(4, 14) && a5 == V(5, 14) && a6 == V(6, 14) && a7 == V(7, 14) && a8 == V(8, 14) && a9 == V(9, 14) && a10 == V(10, 14) && a11 == V(11, 14) && a12 == V(12, 14) && a13 == V(13, 14)
#define TEST_15 a0 == V(0, 15) && a1 == V(1, 15) && a2 == V(2, 15) && a3 == V(3, 15) && a4 == V(4, 15) && a5 == V(5, 15) && a6 == V(6, 15) && a7 == V(7, 15) && a8 == V(8, 15) && a9 == V(9, 15) && a10 == V(10, 15) && a11 == V(11, 15) && a12 == V(12, 15) && a13 == V(13, 15) && a14 == V(14, 15)
#define TEST_16 a0 == V(0, 16) && a1 == V(1, 16) && a2 == V(2, 16) && a3 == V(3, 16) && a4 == V(4, 16) && a5 == V(5, 16) && a6 == V(6, 16) && a7 == V(7, 16) && a8 == V(8, 16) && a9 == V(9, 16) && a10 == V(10, 16) && a11 == V(11, 16) && a12 == V(12, 16) && a13 == V(13, 16) && a14 == V(14, 16) && a15 == V(15, 16)
/* clang-format on */
#define FOR_ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)

static volatile int replies; /* replies that have arrived */
static gasnet_node_t target; /* destination of the current request */
static size_t payload;       /* its bytes */
static int variadic;         /* reply by the variadic calls */
static gasnet_seginfo_t *segments;
static unsigned char pattern[SLOT];

/* Handler indices: Short, Medium, Long requests and their replies, with M arguments. */
enum {
    SHORT = 128,
    MEDIUM = SHORT + 17,
    LONG = MEDIUM + 17,
    SHORT_BACK = LONG + 17,
    MEDIUM_BACK = SHORT_BACK + 17,
    LONG_BACK = MEDIUM_BACK + 17
};

static gasnet_node_t source_of(gasnet_token_t token) {
    gasnet_node_t source = 12345;
    CALL(gasnet_AMGetMsgSource(token, &source));
    CALL(gasnet_AMGetMsgSource(token, &source));
    CHECK(source < gasnet_nodes());
    return source;
}
static char *target_address(gasnet_node_t on, gasnet_node_t sender, int reply) {
    return (char *)segments[on].addr + (2 * (size_t)sender + (reply != 0)) * SLOT + 3; /* not aligned */
}
static void check_data(const void *data, size_t bytes) { CHECK(memcmp(data, pattern, bytes) == 0); }
static void on_reply(gasnet_token_t token) {
    CHECK(source_of(token) == target);
    ++replies;
}

#define HANDLERS(M)                                                                                      \
    static void short_##M(gasnet_token_t t PARAMS_##M) {                                                 \
        CHECK(TEST_##M);                                                                                 \
        if (variadic)                                                                                    \
            CALL(gasnet_AMReplyShort(t, SHORT_BACK + M, M PASS_##M));                                    \
        else                                                                                             \
            CALL(gasnet_AMReplyShort##M(t, SHORT_BACK + M PASS_##M));                                    \
    }                                                                                                    \
    static void short_back_##M(gasnet_token_t t PARAMS_##M) {                                            \
        CHECK(TEST_##M);                                                                                 \
        on_reply(t);                                                                                     \
    }                                                                                                    \
    static void medium_##M(gasnet_token_t t, void *buf, size_t n PARAMS_##M) {                           \
        CHECK(TEST_##M);                                                                                 \
        CHECK(n == 0 || (uintptr_t)buf % 16 == 0);                                                       \
        check_data(buf, n);                                                                              \
        if (n != 0) memset(buf, 0, n), memcpy(buf, pattern, n); /* it is the handler's */                \
        if (variadic)                                                                                    \
            CALL(gasnet_AMReplyMedium(t, MEDIUM_BACK + M, buf, n, M PASS_##M));                          \
        else                                                                                             \
            CALL(gasnet_AMReplyMedium##M(t, MEDIUM_BACK + M, buf, n PASS_##M));                          \
        if (n != 0) memset(buf, 0xee, n);                                                                \
    }                                                                                                    \
    static void medium_back_##M(gasnet_token_t t, void *buf, size_t n PARAMS_##M) {                      \
        CHECK(TEST_##M);                                                                                 \
        CHECK(n == payload && (n == 0 || (uintptr_t)buf % 16 == 0));                                     \
        check_data(buf, n);                                                                              \
        on_reply(t);                                                                                     \
    }                                                                                                    \
    static void long_##M(gasnet_token_t t, void *buf, size_t n PARAMS_##M) {                             \
        gasnet_node_t from = source_of(t), me = gasnet_mynode();                                         \
        CHECK(TEST_##M);                                                                                 \
        CHECK(n == 0 || buf == target_address(me, from, 0));                                             \
        check_data(buf, n);                                                                              \
        if (variadic)                                                                                    \
            CALL(gasnet_AMReplyLong(t, LONG_BACK + M, buf, n, target_address(from, me, 1), M PASS_##M)); \
        else                                                                                             \
            CALL(gasnet_AMReplyLong##M(t, LONG_BACK + M, buf, n, target_address(from, me, 1) PASS_##M)); \
    }                                                                                                    \
    static void long_back_##M(gasnet_token_t t, void *buf, size_t n PARAMS_##M) {                        \
        CHECK(TEST_##M);                                                                                 \
        CHECK(n == payload && (n == 0 || buf == target_address(gasnet_mynode(), target, 1)));            \
        check_data(buf, n);                                                                              \
        on_reply(t);                                                                                     \
    }
FOR_ALL(HANDLERS)

#define ENTRIES(M)                                                                                     \
    {SHORT + M, HANDLER(short_##M)}, {MEDIUM + M, HANDLER(medium_##M)}, {LONG + M, HANDLER(long_##M)}, \
        {SHORT_BACK + M, HANDLER(short_back_##M)}, {MEDIUM_BACK + M, HANDLER(medium_back_##M)},        \
        {LONG_BACK + M, HANDLER(long_back_##M)},
static gasnet_handlerentry_t table[] = {FOR_ALL(ENTRIES)};

#define AWAIT(call)                               \
    do {                                          \
        int before = replies;                     \
        CALL(call);                               \
        GASNET_BLOCKUNTIL(replies == before + 1); \
    } while (0)

/* All categories with M arguments. */
#define EXCHANGE(M)                                                                          \
    static void exchange_##M(size_t medium, size_t big) {                                    \
        char *dst = target_address(target, gasnet_mynode(), 0);                              \
        payload = 0;                                                                         \
        AWAIT(gasnet_AMRequestShort##M(target, SHORT + M VALUES_##M));                       \
        AWAIT(gasnet_AMRequestShort(target, SHORT + M, M VALUES_##M));                       \
        payload = medium;                                                                    \
        AWAIT(gasnet_AMRequestMedium##M(target, MEDIUM + M, pattern, medium VALUES_##M));    \
        AWAIT(gasnet_AMRequestMedium(target, MEDIUM + M, pattern, medium, M VALUES_##M));    \
        payload = big;                                                                       \
        memset(target_address(gasnet_mynode(), target, 1), 0, big);                          \
        AWAIT(gasnet_AMRequestLong##M(target, LONG + M, pattern, big, dst VALUES_##M));      \
        AWAIT(gasnet_AMRequestLong(target, LONG + M, pattern, big, dst, M VALUES_##M));      \
        AWAIT(gasnet_AMRequestLongAsync##M(target, LONG + M, pattern, big, dst VALUES_##M)); \
        AWAIT(gasnet_AMRequestLongAsync(target, LONG + M, pattern, big, dst, M VALUES_##M)); \
    }
FOR_ALL(EXCHANGE)
#define EXCHANGE_NAME(M) exchange_##M,
static void (*const exchanges[])(size_t, size_t) = {FOR_ALL(EXCHANGE_NAME)};

int main(int argc, char **argv) {
    uint64_t seed;
    gasnet_node_t n;
    size_t i, most;
    int round, rounds, m;
    CALL(gasnet_init(&argc, &argv));
    n = gasnet_nodes();
    seed = 17 + gasnet_mynode();
    CALL(gasnet_attach(table, sizeof table / sizeof table[0],
                       ((uintptr_t)2 * n * SLOT / GASNET_PAGESIZE + 1) * GASNET_PAGESIZE, 0));
    segments = malloc(n * sizeof *segments);
    CALL(gasnet_getSegmentInfo(segments, n));
    for (i = 0; i < sizeof pattern; ++i) pattern[i] = (unsigned char)(i * 7 + i / 251);
    barrier();
#ifndef GASNET_DEBUG /* that prints the reason */
    CHECK(gasnet_AMGetMsgSource(NULL, &target) == GASNET_ERR_BAD_ARG);
#endif
    most = MIN(SLOT - 8, 20 * gasnet_AMMaxMedium()); /* many packets, but not too many */
    rounds = effort(5);
    for (round = 0; round < rounds; ++round) {
        variadic = round & 1;
        for (target = 0; target < n; ++target) {
            size_t medium = random_number(&seed) % (round % 3 == 0 ? 64 : gasnet_AMMaxMedium() + 1);
            size_t big = random_number(&seed) % (round % 4 == 0 ? 200 : most);
            if (round == 2) medium = gasnet_AMMaxMedium();
            if (round == 3) medium = big = 0;
            for (m = 0; m <= 16; ++m) exchanges[m](medium, big);
        }
    }
    barrier();
    gasnet_exit(0);
}

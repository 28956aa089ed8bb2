/* SPDX-License-Identifier: BSD-3-Clause */
/* The value collectives in C, on scalars, pointers and structs: results against what every thread can compute. */
#include "tests/spmd/spmd.h"
#include "upcr_preinclude/bupc_collectivev.h"
#include "upcr_preinclude/upc_collective_bits.h"

struct point {
    double at[2];
    char name[23];
};
typedef struct point point;

static __thread unsigned me, threads;
static __thread int evaluated;

static uint64_t value_of(uint64_t seed, unsigned thread) {
    uint64_t s = seed * 31 + thread;
    return spmd_random(&s);
}
static point point_of(uint64_t seed, unsigned thread) {
    point p;
    memset(&p, 0, sizeof p);
    p.at[0] = (double)(value_of(seed, thread) % 1000);
    p.at[1] = thread;
    snprintf(p.name, sizeof p.name, "%u of %u", thread, (unsigned)(seed % 1000));
    ++evaluated;
    return p;
}
static int same_point(point a, point b) {
    return a.at[0] == b.at[0] && a.at[1] == b.at[1] && memcmp(a.name, b.name, sizeof a.name) == 0;
}

static void structs(uint64_t seed) {
    uint64_t s = seed;
    const int root = (int)spmd_below(&s, threads);
    const unsigned shift = (unsigned)spmd_below(&s, threads);
    point got, *const array = malloc(threads * sizeof *array);
    unsigned t;

    evaluated = 0;
    got = bupc_allv_broadcast(point, point_of(seed, me), root);
    SPMD_EQ(evaluated, 1);
    SPMD_CHECK(same_point(got, point_of(seed, (unsigned)root)));

    for (t = 0; t < threads; ++t) array[t] = point_of(seed + 1, t);
    got = bupc_allv_scatter(struct point, root, (int)me == root ? array : NULL);
    SPMD_CHECK(same_point(got, point_of(seed + 1, me)));

    memset(array, 0, threads * sizeof *array);
    SPMD_CHECK(bupc_allv_gather(point, point_of(seed + 2, me), root, array) == array);
    for (t = 0; t < threads && (int)me == root; ++t) SPMD_CHECK(same_point(array[t], point_of(seed + 2, t)));
    if ((int)me != root) SPMD_CHECK(array[0].name[0] == 0);

    SPMD_CHECK(bupc_allv_gather_all(point, point_of(seed + 3, me), array) == array);
    for (t = 0; t < threads; ++t) SPMD_CHECK(same_point(array[t], point_of(seed + 3, t)));

    /* t to shift - t: its own inverse; t to t + shift. */
    got = bupc_allv_permute(point, point_of(seed + 4, me), (int)((shift + threads - me) % threads));
    SPMD_CHECK(same_point(got, point_of(seed + 4, (shift + threads - me) % threads)));
    got = bupc_allv_permute(point, point_of(seed + 5, me), (int)((me + shift) % threads));
    SPMD_CHECK(same_point(got, point_of(seed + 5, (me + threads - shift) % threads)));
    free(array);
}

/* A call in the expression of another's value, in its root; results that are read after further calls. */
static int differ(point a, point b, int c, int d) {
    return !same_point(a, point_of(3, 0)) + !same_point(b, point_of(4, threads - 1)) + (c != 0) +
           (d != (int)threads - 1);
}
static void nested(void) {
    const int last = (int)threads - 1;
    int i;
    SPMD_EQ(bupc_allv_reduce_all(int, bupc_allv_broadcast(int, (int)me + 7, 0) + (int)me, UPC_ADD),
            7 * (int)threads + last * (int)threads / 2);
    SPMD_EQ(bupc_allv_reduce_all(double, bupc_allv_prefix_reduce(int, 1, UPC_ADD), UPC_MAX), (int)threads);
    SPMD_EQ(bupc_allv_broadcast(int, (int)me, bupc_allv_broadcast(int, last - (int)me, last)), 0);
    SPMD_EQ(differ(bupc_allv_broadcast(point, point_of(3, me), 0),
                   bupc_allv_broadcast(point, point_of(4, me), last), bupc_allv_broadcast(int, (int)me, 0),
                   bupc_allv_broadcast(int, (int)me, last)),
            0);
    for (i = 0; i < 200; ++i) SPMD_EQ(bupc_allv_broadcast(int, (int)me *i, last), last * i);
}

static void scalars(uint64_t seed) {
    const int root = (int)(seed % threads);
    const char *const word = bupc_allv_broadcast(const char *, (int)me == root ? "word" : NULL, root);
    short array[64] = {0};
    unsigned t;
    if ((int)me == root) SPMD_CHECK(strcmp(word, "word") == 0);
    for (t = 0; t < threads; ++t) array[t] = (short)(seed + t);
    SPMD_EQ(bupc_allv_scatter(short, root, array), (short)(seed + me));
    (void)bupc_allv_gather_all(short, (short)(seed * 3 + me), array);
    for (t = 0; t < threads; ++t) SPMD_EQ(array[t], (short)(seed * 3 + t));
    /* Two in one expression: a compiler may move what precedes a call in an expression of its own. */
    SPMD_EQ(bupc_allv_broadcast(int, 5, 0) + bupc_allv_reduce_all(int, 1, UPC_ADD), 5 + (int)threads);
    SPMD_EQ(bupc_allv_reduce_all(int, 7, UPC_MIN) < bupc_allv_reduce_all(int, 100, UPC_MAX), 1);
    SPMD_EQ(bupc_allv_broadcast(unsigned, me, root) * 100 + bupc_allv_broadcast(unsigned, me, 0), root * 100);
}

/* Sum, product, maximum and minimum of values that are exact in every type. */
#define REDUCTIONS(TYPE, seed)                                                                              \
    do {                                                                                                    \
        const int root = (int)((seed) % threads);                                                           \
        TYPE sum = 0, most = 0, product = 1, mine = (TYPE)(value_of(seed, me) % 5 + 1), least = 9, got = 0; \
        unsigned t;                                                                                         \
        for (t = 0; t < threads; ++t) {                                                                     \
            const TYPE x = (TYPE)(value_of(seed, t) % 5 + 1);                                               \
            sum += x;                                                                                       \
            product *= (TYPE)(t % 3 + 1);                                                                   \
            if (x > most) most = x;                                                                         \
            if (x < least) least = x;                                                                       \
            if (t <= me) {                                                                                  \
                got = sum;                                                                                  \
            }                                                                                               \
        }                                                                                                   \
        SPMD_CHECK(bupc_allv_prefix_reduce(TYPE, mine, UPC_ADD) == got);                                    \
        SPMD_CHECK(bupc_allv_reduce_all(TYPE, mine, UPC_ADD) == sum);                                       \
        SPMD_CHECK(bupc_allv_reduce_all(TYPE, me % 3 + 1, UPC_MULT) == product);                            \
        SPMD_CHECK(bupc_allv_reduce_all(TYPE, mine, UPC_MIN) == least);                                     \
        got = bupc_allv_reduce(TYPE, mine, root, UPC_MAX);                                                  \
        if ((int)me == root) SPMD_CHECK(got == most);                                                       \
        SPMD_CHECK(bupc_allv_reduce_all(TYPE, me != 0, UPC_LOGAND) == (TYPE)(threads == 1 ? me != 0 : 0));  \
    } while (0)

static void negative(void) {
    SPMD_CHECK(bupc_allv_reduce_all(signed char, -1 - (int)me, UPC_MIN) == -(int)threads);
    /* A sum of truth values is one, as any integer that is converted to _Bool. */
    SPMD_EQ((int)bupc_allv_reduce_all(_Bool, 1, UPC_ADD), 1);
    SPMD_EQ((int)bupc_allv_prefix_reduce(_Bool, me == 0, UPC_ADD), 1);
    SPMD_EQ((int)bupc_allv_reduce_all(_Bool, me != 0, UPC_MULT), 0);
    SPMD_EQ((int)bupc_allv_reduce_all(_Bool, 1, UPC_XOR), (int)(threads % 2));
    SPMD_EQ((int)bupc_allv_reduce_all(_Bool, me != 0, UPC_MAX), threads > 1);
    SPMD_CHECK(bupc_allv_reduce_all(long long, -1 - (int)me, UPC_MAX) == -1);
    SPMD_CHECK(bupc_allv_reduce_all(double, -0.5, UPC_MAX) == -0.5);
    SPMD_CHECK(bupc_allv_reduce_all(unsigned, 1u << me, UPC_OR) == (1u << threads) - 1);
    SPMD_CHECK(bupc_allv_reduce_all(uint64_t, ~UINT64_C(0) << me, UPC_AND) == ~UINT64_C(0) << (threads - 1));
    SPMD_CHECK(bupc_allv_reduce_all(char, 'a', UPC_XOR) == (threads % 2 ? 'a' : 0));
}

/* A thread that only sends returns before the receiver has entered; otherwise this hangs. */
static void senders_do_not_wait(void) {
    const upcr_shared_ptr_t flag = spmd_alloc(64);
    const int root = (int)threads - 1;
    int got, array[64];
    if ((int)me == root && threads > 1)
        while (upcr_get_shared_val(spmd_part(flag, me, 0), 0, 8) != 1) upcr_poll();
    (void)bupc_allv_gather(int, (int)me, root, array);
    got = bupc_allv_prefix_reduce(int, 1, UPC_ADD);
    if (me == 0) upcr_put_shared_val_strict(spmd_part(flag, (unsigned)root, 0), 0, 1, 8);
    SPMD_EQ(got, me + 1);
    if ((int)me == root) SPMD_EQ(array[threads - 1], threads - 1);
}

static void run(void) {
    const uint64_t rounds = spmd_effort(40);
    uint64_t i;
    me = upcr_mythread();
    threads = upcr_threads();
    for (i = 0; i < rounds; ++i) {
        structs(i * 17);
        scalars(i);
        REDUCTIONS(signed char, i);
        REDUCTIONS(unsigned char, i);
        REDUCTIONS(short, i);
        REDUCTIONS(unsigned short, i);
        REDUCTIONS(int, i);
        REDUCTIONS(unsigned, i);
        REDUCTIONS(long, i);
        REDUCTIONS(unsigned long long, i);
        REDUCTIONS(float, i);
        REDUCTIONS(double, i);
        REDUCTIONS(long double, i);
    }
    nested();
    negative();
    senders_do_not_wait();
}

SPMD_MAIN(run)

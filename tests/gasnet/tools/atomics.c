/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The six families of atomics: against plain arithmetic, over storage of other types, and (built with threads)
 * between threads: counts, locks made of them, message passing and store buffering with the fence flags.
 */
#include <gasnet_tools.h>

#include "check.h"
#ifdef GASNETT_THREAD_SAFE
#include <pthread.h>
#endif

/* A value with interesting low and high bits. */
static uint64_t next_value(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % 4 == 0 ? state % 3 : state % 4 == 1 ? (uint64_t)0 - state % 3 : state;
}

/* clang-format off */
#define TEST_FAMILY(X, V, S)                                                                                \
    static gasnett_##X##_t X##_global = gasnett_##X##_init(-1);                                             \
    static gasnett_##X##_t X##_array[3] = {gasnett_##X##_init(1), gasnett_##X##_init(2)};                   \
    static struct {                                                                                         \
        char before;                                                                                        \
        gasnett_##X##_t a;                                                                                  \
        char behind;                                                                                        \
    } X##_member = {'b', gasnett_##X##_init(3), 'h'};                                                       \
    static void model_##X(int flags)                                                                        \
    {                                                                                                       \
        gasnett_##X##_t a = gasnett_##X##_init(5);                                                          \
        V m = 5, r;                                                                                         \
        int round;                                                                                          \
        CHECK(sizeof(a) == sizeof(V));                                                                      \
        CHECK(sizeof(X##_member) == 3 * sizeof(V));                                                         \
        CHECK(sizeof(gasnett_##X##_val_t) == sizeof(V) && (gasnett_##X##_val_t)-1 > 0);                     \
        CHECK(sizeof(gasnett_##X##_sval_t) == sizeof(V) && (gasnett_##X##_sval_t)-1 < 0);                   \
        for (round = 0; round < 2000; round++) {                                                            \
            const V v = (V)next_value();                                                                    \
            switch (next_value() % 9) {                                                                     \
            case 0: gasnett_##X##_set(&a, v, flags); m = v; break;                                          \
            case 1: gasnett_##X##_increment(&a, flags); m++; break;                                         \
            case 2: gasnett_##X##_decrement(&a, flags); m--; break;                                         \
            case 3: r = gasnett_##X##_add(&a, v, flags); m = (V)(m + v); CHECK(r == m); break;              \
            case 4: r = gasnett_##X##_subtract(&a, v, flags); m = (V)(m - v); CHECK(r == m); break;         \
            case 5: r = gasnett_##X##_swap(&a, v, flags); CHECK(r == m); m = v; break;                      \
            case 6: m--; CHECK(!gasnett_##X##_decrement_and_test(&a, flags) == (m != 0)); break;            \
            case 7: CHECK(gasnett_##X##_compare_and_swap(&a, m, v, flags)); m = v; break;                   \
            default: CHECK(!gasnett_##X##_compare_and_swap(&a, (V)(m + 1), v, flags)); break;               \
            }                                                                                               \
            CHECK(gasnett_##X##_read(&a, flags) == m);                                                      \
        }                                                                                                   \
        gasnett_##X##_set(&a, 1, flags);                                                                    \
        CHECK(gasnett_##X##_decrement_and_test(&a, flags) && !gasnett_##X##_decrement_and_test(&a, flags)); \
        CHECK((S)gasnett_##X##_read(&a, 0) == -1 && gasnett_##X##_compare_and_swap(&a, -1, -2, flags));     \
    }                                                                                                       \
    static void shapes_##X(void)                                                                            \
    {                                                                                                       \
        volatile gasnett_##X##_t v = gasnett_##X##_init(0);                                                 \
        V plain = 7, number = 9;                                                                            \
        gasnett_##X##_t *p;                                                                                 \
        struct {                                                                                            \
            char c;                                                                                         \
            V v;                                                                                            \
        } padded = {'c', 3};                                                                                \
        CHECK(gasnett_##X##_read(&X##_global, 0) == (V)-1);                                                 \
        CHECK(gasnett_##X##_read(&X##_array[1], 0) == 2 && gasnett_##X##_read(&X##_array[2], 0) == 0);      \
        gasnett_##X##_increment(&X##_member.a, 0);                                                          \
        CHECK(gasnett_##X##_read(&X##_member.a, 0) == 4 && X##_member.before == 'b' && X##_member.behind == 'h'); \
        gasnett_##X##_increment(&v, 0);                                                                     \
        CHECK(gasnett_##X##_read(&v, 0) == 1);                                                              \
        p = (gasnett_##X##_t *)&plain;                                                                      \
        gasnett_##X##_add(p, 10, 0);                                                                        \
        CHECK(plain == 17);                                                                                 \
        CHECK(gasnett_##X##_swap((gasnett_##X##_t *)&number, plain, 0) == 9 && number == 17);               \
        gasnett_##X##_decrement((gasnett_##X##_t *)&padded.v, 0);                                           \
        CHECK(padded.v == 2 && padded.c == 'c');                                                            \
    }
/* clang-format on */

TEST_FAMILY(atomic, uint32_t, int32_t)
TEST_FAMILY(atomic32, uint32_t, int32_t)
TEST_FAMILY(atomic64, uint64_t, int64_t)
TEST_FAMILY(strongatomic, uint32_t, int32_t)
TEST_FAMILY(strongatomic32, uint32_t, int32_t)
TEST_FAMILY(strongatomic64, uint64_t, int64_t)

/* The bits of floating-point variables, as they are read behind the compiler's back. */
static void over_floats(void) {
    double d = 1.5, d2 = 0;
    float f = 2.5f;
    uint64_t bits;
    uint32_t bits32;
    memcpy(&bits, &d, sizeof bits);
    CHECK(gasnett_atomic64_read((gasnett_atomic64_t *)&d, 0) == bits);
    gasnett_atomic64_set((gasnett_atomic64_t *)&d2, bits, 0);
    CHECK(d2 == 1.5);
    d2 = 4.25;
    memcpy(&bits32, &f, sizeof bits32);
    CHECK(gasnett_strongatomic32_compare_and_swap((gasnett_strongatomic32_t *)&f, bits32, 0, 0) && f == 0);
    memcpy(&bits, &d2, sizeof bits);
    CHECK(gasnett_strongatomic64_swap((gasnett_strongatomic64_t *)&d, bits, 0) != bits && d == 4.25);
}

static void limits(void) {
    gasnett_atomic_sval_t signed_storage = -5;
    gasnett_atomic_t a = gasnett_atomic_init(GASNETT_ATOMIC_MAX);
    CHECK(gasnett_atomic_signed(gasnett_atomic_read((gasnett_atomic_t *)&signed_storage, 0)) == -5);
    CHECK(gasnett_atomic_add(&a, 1, 0) == 0);
    gasnett_atomic_set(&a, (gasnett_atomic_val_t)GASNETT_ATOMIC_SIGNED_MAX, 0);
    gasnett_atomic_increment(&a, 0);
    CHECK(gasnett_atomic_signed(gasnett_atomic_read(&a, 0)) == GASNETT_ATOMIC_SIGNED_MIN);
}

#ifdef GASNETT_THREAD_SAFE
enum { THREADS = 4, ROUNDS = 20000 };
static gasnett_atomic_t count = gasnett_atomic_init(0), lock = gasnett_atomic_init(0),
                        remaining = gasnett_atomic_init(THREADS);
static gasnett_atomic64_t sum = gasnett_atomic64_init(0);
static long guarded, last_one;

static void *counter(void *arg) {
    const uint64_t me = (uint64_t)(uintptr_t)arg;
    int i;
    for (i = 0; i < ROUNDS; i++) {
        gasnett_atomic_increment(&count, 0);
        gasnett_atomic64_add(&sum, me << 32, 0);
        while (!gasnett_atomic_compare_and_swap(&lock, 0, 1, GASNETT_ATOMIC_ACQ_IF_TRUE))
            gasnett_sched_yield();
        guarded++;
        gasnett_atomic_set(&lock, 0, GASNETT_ATOMIC_REL);
    }
    if (gasnett_atomic_decrement_and_test(&remaining, GASNETT_ATOMIC_REL | GASNETT_ATOMIC_ACQ_IF_TRUE))
        last_one++;
    return NULL;
}

/* One thread writes data and then a flag, the other must not see the flag without the data. `mode` chooses where
 * the fences stand. */
static gasnett_atomic_t flag_word = gasnett_atomic_init(0), consumed = gasnett_atomic_init(0);
static volatile uint32_t data_word;
static int mode;

static void *writer(void *arg) {
    uint32_t i;
    (void)arg;
    for (i = 1; i <= ROUNDS; i++) {
        data_word = i;
        switch (mode) {
        case 0: gasnett_atomic_set(&flag_word, i, GASNETT_ATOMIC_REL); break;
        case 1: gasnett_local_wmb(), gasnett_atomic_set(&flag_word, i, 0); break;
        case 2: gasnett_atomic_increment(&flag_word, GASNETT_ATOMIC_WMB_PRE); break;
        case 3: gasnett_atomic_set(&flag_word, i, GASNETT_ATOMIC_MB_PRE | GASNETT_ATOMIC_MB_POST); break;
        default:
            gasnett_atomic_read(&consumed, GASNETT_ATOMIC_WMB_POST), gasnett_atomic_swap(&flag_word, i, 0);
            break;
        }
        while (gasnett_atomic_read(&consumed, GASNETT_ATOMIC_ACQ) != i) gasnett_sched_yield();
    }
    return NULL;
}

static void *reader(void *arg) {
    uint32_t i, seen;
    (void)arg;
    for (i = 1; i <= ROUNDS; i++) {
        for (;;) {
            if (mode == 1) {
                seen = gasnett_atomic_read(&flag_word, 0);
                gasnett_local_rmb();
            } else if (mode == 2) {
                seen = gasnett_atomic_add(&flag_word, 0, GASNETT_ATOMIC_RMB_POST);
            } else if (mode == 3) {
                seen = gasnett_atomic_compare_and_swap(&flag_word, i, i, GASNETT_ATOMIC_RMB_POST_IF_TRUE) ? i
                                                                                                          : 0;
            } else {
                seen = gasnett_atomic_read(&flag_word, GASNETT_ATOMIC_ACQ);
            }
            if (seen == i) break;
            gasnett_sched_yield();
        }
        CHECK(data_word == i);
        gasnett_atomic_set(&consumed, i, GASNETT_ATOMIC_MB_PRE);
    }
    return NULL;
}

/* Store buffering: each sets its own flag and reads the other's; with full fences between, not both read 0. */
static gasnett_atomic_t flags[2], results[2], arrived = gasnett_atomic_init(0);

static void barrier_wait(unsigned total) {
    unsigned turns = 0; /* of close spinning: both are to leave at the same moment */
    gasnett_atomic_increment(&arrived, GASNETT_ATOMIC_MB_PRE | GASNETT_ATOMIC_MB_POST);
    while (gasnett_atomic_read(&arrived, GASNETT_ATOMIC_ACQ) < total)
        if (++turns > 2000) gasnett_sched_yield();
}

static void *dekker(void *arg) {
    const unsigned me = (unsigned)(uintptr_t)arg;
    unsigned i, barriers = 0;
    for (i = 0; i < 3 * ROUNDS; i++) {
        gasnett_atomic_set(&flags[me], 0, 0);
        barrier_wait(2 * ++barriers);
        if (i % 3 == 0) {
            gasnett_atomic_set(&flags[me], 1, GASNETT_ATOMIC_MB_POST);
            gasnett_atomic_set(&results[me], gasnett_atomic_read(&flags[1 - me], 0), 0);
        } else if (i % 3 == 1) {
            gasnett_atomic_set(&flags[me], 1, 0);
            gasnett_atomic_set(&results[me], gasnett_atomic_read(&flags[1 - me], GASNETT_ATOMIC_MB_PRE), 0);
        } else {
            gasnett_atomic_set(&flags[me], 1, 0);
            gasnett_local_mb();
            gasnett_atomic_set(&results[me], gasnett_atomic_read(&flags[1 - me], 0), 0);
        }
        barrier_wait(2 * ++barriers);
        CHECK(gasnett_atomic_read(&results[0], 0) + gasnett_atomic_read(&results[1], 0) > 0);
        barrier_wait(2 * ++barriers);
    }
    return NULL;
}

static void run(unsigned threads, void *(*body)(void *), void *(*other)(void *)) {
    pthread_t ids[THREADS];
    unsigned i;
    for (i = 0; i < threads; i++)
        CHECK(pthread_create(&ids[i], NULL, i == 1 && other ? other : body, (void *)(uintptr_t)i) == 0);
    for (i = 0; i < threads; i++) CHECK(pthread_join(ids[i], NULL) == 0);
}

static void threads(void) {
    run(THREADS, counter, NULL);
    CHECK(gasnett_atomic_read(&count, 0) == THREADS * ROUNDS && guarded == THREADS * ROUNDS && last_one == 1);
    CHECK(gasnett_atomic64_read(&sum, 0) == (uint64_t)ROUNDS * (THREADS * (THREADS - 1) / 2) << 32);
    for (mode = 0; mode < 5; mode++) {
        gasnett_atomic_set(&flag_word, 0, 0);
        gasnett_atomic_set(&consumed, 0, 0);
        run(2, writer, reader);
    }
    run(2, dekker, NULL);
}
#endif

int main(void) {
    int flags_used = 0;
    for (flags_used = 0; flags_used < 64; flags_used += 7) {
        model_atomic(flags_used);
        model_atomic32(flags_used);
        model_atomic64(flags_used);
        model_strongatomic(flags_used);
        model_strongatomic32(flags_used);
        model_strongatomic64(flags_used);
    }
    model_atomic(GASNETT_ATOMIC_REL | GASNETT_ATOMIC_ACQ_IF_TRUE);
    shapes_atomic();
    shapes_atomic32();
    shapes_atomic64();
    shapes_strongatomic();
    shapes_strongatomic32();
    shapes_strongatomic64();
    over_floats();
    limits();
#ifdef GASNETT_THREAD_SAFE
    threads();
#endif
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Typed atomic operations, each under its name: first against a serial model on words of the thread's own, then
 * by all threads on the same words, where no update may be lost.
 */
#include "tests/spmd/spmd.h"

enum { kWords = 16, kWordBytes = 8, kRowBytes = kWords * kWordBytes };

static upcr_shared_ptr_t own;    /* of each thread: a row for each writer */
static upcr_shared_ptr_t common; /* of each thread: words that all write */
static uint64_t seed;

static upcr_shared_ptr_t any_word(uint64_t *random, unsigned *which) {
    *which = (unsigned)spmd_below(random, upcr_threads() * (uint64_t)kWords);
    return spmd_part(own, *which / kWords,
                     upcr_mythread() * (size_t)kRowBytes + *which % kWords * kWordBytes);
}

/* Values of type T of every magnitude, small ones often, so that comparisons succeed sometimes. */
#define VALUE(T) ((T)(spmd_random(random) >> (spmd_below(random, 2) * 61)))
#define EXPECT(T, name, got, want)                                                              \
    do {                                                                                        \
        const T spmd_got = (got), spmd_want = (want);                                           \
        if (memcmp(&spmd_got, &spmd_want, sizeof spmd_got) != 0)                                \
            SPMD_FAIL("seed %llu: %s returns %.17g, not %.17g", (unsigned long long)seed, name, \
                      (double)spmd_got, (double)spmd_want);                                     \
    } while (0)

/* One random operation of the first five; then of the others. `at`: the argument; `m`: the model's value. */
#define COMMON(C, MODE, T, at)                                                                         \
    const T a = VALUE(T), b = VALUE(T), old = *m;                                                      \
    (void)b;                                                                                           \
    switch (choice) {                                                                                  \
    case 0: EXPECT(T, "bupc_atomic" #C "_read_" #MODE, bupc_atomic##C##_read_##MODE(at), old); break;  \
    case 1:                                                                                            \
        bupc_atomic##C##_set_##MODE(at, a);                                                            \
        *m = a;                                                                                        \
        break;                                                                                         \
    case 2:                                                                                            \
        EXPECT(T, "bupc_atomic" #C "_swap_" #MODE, bupc_atomic##C##_swap_##MODE(at, a), old);          \
        *m = a;                                                                                        \
        break;                                                                                         \
    case 3: {                                                                                          \
        const T guess = spmd_below(random, 2) ? old : a;                                               \
        EXPECT(T, "bupc_atomic" #C "_cswap_" #MODE, bupc_atomic##C##_cswap_##MODE(at, guess, b), old); \
        if (memcmp(&guess, &old, sizeof old) == 0) *m = b;                                             \
        break;                                                                                         \
    }                                                                                                  \
    case 4:                                                                                            \
        EXPECT(T, "bupc_atomic" #C "_fetchadd_" #MODE, bupc_atomic##C##_fetchadd_##MODE(at, a), old);  \
        *m = SUM_##C(T, old, a);                                                                       \
        break;                                                                                         \
    default: break;                                                                                    \
    }
#define BITS(C, MODE, T, at)                                                                          \
    switch (choice) {                                                                                 \
    case 5:                                                                                           \
        EXPECT(T, "bupc_atomic" #C "_mswap_" #MODE, bupc_atomic##C##_mswap_##MODE(at, a, b), old);    \
        *m = (T)((old & ~a) | (b & a));                                                               \
        break;                                                                                        \
    case 6:                                                                                           \
        EXPECT(T, "bupc_atomic" #C "_fetchand_" #MODE, bupc_atomic##C##_fetchand_##MODE(at, a), old); \
        *m = (T)(old & a);                                                                            \
        break;                                                                                        \
    case 7:                                                                                           \
        EXPECT(T, "bupc_atomic" #C "_fetchor_" #MODE, bupc_atomic##C##_fetchor_##MODE(at, a), old);   \
        *m = (T)(old | a);                                                                            \
        break;                                                                                        \
    case 8:                                                                                           \
        EXPECT(T, "bupc_atomic" #C "_fetchxor_" #MODE, bupc_atomic##C##_fetchxor_##MODE(at, a), old); \
        *m = (T)(old ^ a);                                                                            \
        break;                                                                                        \
    case 9:                                                                                           \
        EXPECT(T, "bupc_atomic" #C "_fetchnot_" #MODE, bupc_atomic##C##_fetchnot_##MODE(at), old);    \
        *m = (T)~old;                                                                                 \
        break;                                                                                        \
    default: break;                                                                                   \
    }
#define WRAP(T, x, y) ((T)((uint64_t)(x) + (uint64_t)(y)))
#define PLUS(T, x, y) ((x) + (y))
#define SUM_I WRAP
#define SUM_UI WRAP
#define SUM_L WRAP
#define SUM_UL WRAP
#define SUM_I32 WRAP
#define SUM_U32 WRAP
#define SUM_I64 WRAP
#define SUM_U64 WRAP
#define SUM_X32 WRAP
#define SUM_X64 WRAP
#define SUM_F PLUS
#define SUM_D PLUS

/* Performs one operation on the word `s`, which is at `v` here if it is this thread's, and on the model's. */
#define PLAYERS(C, T, OTHERS)                                                                       \
    static void play_##C##_relaxed(uint64_t *random, unsigned choice, upcr_shared_ptr_t s, void *v, \
                                   void *model) {                                                   \
        T *const m = (T *)model;                                                                    \
        COMMON(C, relaxed, T, s)                                                                    \
        OTHERS(C, relaxed, T, s)                                                                    \
        (void)v;                                                                                    \
    }                                                                                               \
    static void play_##C##_strict(uint64_t *random, unsigned choice, upcr_shared_ptr_t s, void *v,  \
                                  void *model) {                                                    \
        T *const m = (T *)model;                                                                    \
        COMMON(C, strict, T, s)                                                                     \
        OTHERS(C, strict, T, s)                                                                     \
        (void)v;                                                                                    \
    }                                                                                               \
    static void play_##C##_private(uint64_t *random, unsigned choice, upcr_shared_ptr_t s, void *v, \
                                   void *model) {                                                   \
        T *const m = (T *)model;                                                                    \
        COMMON(C, private, T, v)                                                                    \
        OTHERS(C, private, T, v)                                                                    \
        (void)s;                                                                                    \
    }
#define NOTHING(C, MODE, T, at)
PLAYERS(I, int, BITS)
PLAYERS(UI, unsigned int, BITS)
PLAYERS(L, long, BITS)
PLAYERS(UL, unsigned long, BITS)
PLAYERS(I32, int32_t, BITS)
PLAYERS(U32, uint32_t, BITS)
PLAYERS(I64, int64_t, BITS)
PLAYERS(U64, uint64_t, BITS)
PLAYERS(X32, uint32_t, BITS)
PLAYERS(X64, uint64_t, BITS)
PLAYERS(F, float, NOTHING)
PLAYERS(D, double, NOTHING)

typedef void player(uint64_t *random, unsigned choice, upcr_shared_ptr_t s, void *v, void *model);
#define THREE(C) play_##C##_relaxed, play_##C##_strict, play_##C##_private
static player *const integer_players[] = {THREE(I),   THREE(UI),  THREE(L),   THREE(UL),  THREE(I32),
                                          THREE(U32), THREE(I64), THREE(U64), THREE(X32), THREE(X64)};
static player *const float_players[] = {THREE(F), THREE(D)};

static void against_model(void) {
    uint64_t random = seed * 1000 + upcr_mythread();
    const size_t words = (size_t)upcr_threads() * kWords;
    uint64_t *const model = (uint64_t *)calloc(words, sizeof *model);
    const uint64_t rounds = spmd_effort(40);
    for (uint64_t round = 0; round < rounds; ++round) {
        for (unsigned choice = 0; choice < 10; ++choice) {
            for (size_t i = 0; i < sizeof integer_players / sizeof integer_players[0]; ++i) {
                unsigned which;
                upcr_shared_ptr_t s = any_word(&random, &which);
                if (i % 3 == 2) { /* private: by its address here */
                    which = which % kWords + upcr_mythread() * kWords;
                    s = spmd_part(own, upcr_mythread(),
                                  upcr_mythread() * (size_t)kRowBytes + which % kWords * kWordBytes);
                }
                integer_players[i](&random, choice, s, upcr_cast(s), &model[which]);
            }
        }
    }
    for (size_t i = 0; i < words; ++i)
        SPMD_EQ(upcr_get_shared_val(spmd_part(own, (upcr_thread_t)(i / kWords),
                                              upcr_mythread() * (size_t)kRowBytes + i % kWords * kWordBytes),
                                    0, 8),
                model[i]);
    /* Floating point on words of its own type: half of the row each, whole numbers so that sums are exact. */
    memset(model, 0, words * sizeof *model);
    for (size_t i = 0; i < words; ++i)
        upcr_put_shared_val(spmd_part(own, (upcr_thread_t)(i / kWords),
                                      upcr_mythread() * (size_t)kRowBytes + i % kWords * kWordBytes),
                            0, 0, 8);
    for (uint64_t round = 0; round < rounds; ++round) {
        for (unsigned choice = 0; choice < 5; ++choice) {
            for (size_t i = 0; i < sizeof float_players / sizeof float_players[0]; ++i) {
                unsigned which;
                (void)any_word(&random, &which);
                if (i % 3 == 2) which = which % kWords + upcr_mythread() * kWords;
                which = which / 2 * 2 + (unsigned)(i / 3);
                const upcr_shared_ptr_t s = spmd_part(
                    own, which / kWords, upcr_mythread() * (size_t)kRowBytes + which % kWords * kWordBytes);
                float_players[i](&random, choice, s, upcr_cast(s), &model[which]);
            }
        }
    }
    free(model);
}

/* All threads add to words of every thread, and set bits there. */
static void together(void) {
    const uint64_t count = spmd_effort(3000);
    const upcr_thread_t me = upcr_mythread(), n = upcr_threads();
    for (uint64_t i = 0; i < count; ++i) {
        const upcr_thread_t t = (upcr_thread_t)((i + me) % n);
        (void)bupc_atomicU64_fetchadd_relaxed(spmd_part(common, t, 0), 1);
        (void)bupc_atomicI32_fetchadd_strict(spmd_part(common, t, 8), -1);
        (void)bupc_atomicD_fetchadd_relaxed(spmd_part(common, t, 16), 0.5);
        (void)bupc_atomicF_fetchadd_strict(spmd_part(common, t, 24), 0.25f);
        (void)bupc_atomicX64_fetchxor_relaxed(spmd_part(common, t, 32), UINT64_C(1) << (me + i % 2 * 32));
        const uint32_t bit = UINT32_C(1) << me;
        (void)bupc_atomicU32_mswap_relaxed(spmd_part(common, t, 40), bit, i % 2 ? bit : 0);
        for (uint64_t seen = bupc_atomicUL_read_relaxed(spmd_part(common, t, 48)), now;; seen = now) {
            now = bupc_atomicUL_cswap_strict(spmd_part(common, t, 48), seen, seen * 3 + 1);
            if (now == seen) break;
        }
        if (t == me) (void)bupc_atomicU64_fetchadd_private(upcr_shared_to_local(spmd_part(common, t, 0)), 1);
    }
    spmd_barrier();
    uint64_t adds = 0;
    for (upcr_thread_t who = 0; who < n; ++who)
        for (uint64_t i = 0; i < count; ++i) adds += (i + who) % n == me;
    uint64_t private_adds = 0, power = 0;
    for (uint64_t i = 0; i < count; ++i) private_adds += (i + me) % n == me;
    for (uint64_t i = 0; i < adds; ++i) power = power * 3 + 1;
    SPMD_EQ(bupc_atomicU64_read_strict(spmd_part(common, me, 0)), adds + private_adds);
    SPMD_EQ((uint32_t)bupc_atomicI32_read_relaxed(spmd_part(common, me, 8)), (uint32_t)-adds);
    SPMD_CHECK(bupc_atomicD_read_strict(spmd_part(common, me, 16)) == 0.5 * (double)adds);
    SPMD_CHECK(bupc_atomicF_read_relaxed(spmd_part(common, me, 24)) == 0.25f * (float)adds);
    SPMD_EQ(bupc_atomicUL_read_strict(spmd_part(common, me, 48)), power);
    uint64_t marks = 0;
    uint32_t bits = 0;
    for (upcr_thread_t who = 0; who < n; ++who) {
        for (uint64_t i = 0; i < count; ++i) {
            if ((i + who) % n != me) continue;
            marks ^= UINT64_C(1) << (who + i % 2 * 32);
            bits = (bits & ~(UINT32_C(1) << who)) | (i % 2 ? UINT32_C(1) << who : 0);
        }
    }
    SPMD_EQ(bupc_atomicX64_read_relaxed(spmd_part(common, me, 32)), marks);
    SPMD_EQ(bupc_atomicU32_read_strict(spmd_part(common, me, 40)), bits);
    spmd_barrier();
}

/* A spin lock made of cswap in the memory of thread 0 guards a counter; strict operations order the rest. */
static void spin_lock(void) {
    const uint64_t count = spmd_effort(300);
    const upcr_shared_ptr_t lock = spmd_part(common, 0, 56),
                            counter = spmd_part(common, upcr_threads() - 1, 64);
    for (uint64_t i = 0; i < count; ++i) {
        while (bupc_atomicI_cswap_strict(lock, 0, 1) != 0) upcr_poll_nofence();
        upcr_put_shared_val(counter, 0, upcr_get_shared_val(counter, 0, 8) + 1, 8);
        bupc_atomicI_set_strict(lock, 0);
    }
    spmd_barrier();
    SPMD_EQ(upcr_get_shared_val(counter, 0, 8), count * upcr_threads());
}

static void run(void) {
    const upcr_shared_ptr_t p = spmd_alloc((size_t)upcr_threads() * kRowBytes), q = spmd_alloc(128);
    const char *const given = getenv("SPMD_SEED");
    if (upcri_mypthread() == 0) {
        own = p;
        common = q;
        seed = given != NULL ? strtoull(given, NULL, 10) : 4711;
    }
    spmd_barrier();
    against_model();
    spmd_barrier();
    together();
    spin_lock();
}

SPMD_MAIN(run)

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic domains of UPC 1.3: every legal type with every operation, relaxed and strict, with and without
 * fetching, against a serial model; then all threads on the same objects.
 */
#include "tests/spmd/spmd.h"

static const upc_op_t numeric[] = {UPC_GET, UPC_SET, UPC_CSWAP, UPC_ADD, UPC_SUB, UPC_MULT, UPC_MIN,
                                   UPC_MAX, UPC_INC, UPC_DEC,   UPC_AND, UPC_OR,  UPC_XOR};
enum { kFloatOps = 10, kIntegerOps = 13, kPointerOps = 3, kObjects = 8, kBytes = 16, kMaxThreads = 8 };

static upcr_shared_ptr_t own, common;
static uint64_t seed;

static upc_op_t all_ops(size_t count) {
    upc_op_t ops = 0;
    for (size_t i = 0; i < count; ++i) ops |= numeric[i];
    return ops;
}

static void call(int strict, upcr_pshared_ptr_t d, void *fetch, upc_op_t op, upcr_shared_ptr_t at,
                 const void *a, const void *b) {
    if (strict)
        upc_atomic_strict(d, fetch, op, at, a, b);
    else
        upc_atomic_relaxed(d, fetch, op, at, a, b);
}

/* Each operation once with random operands. WIDE: a type that computes integers of type T without overflow. */
#define MODEL(NAME, T, WIDE, OPS, BITWISE)                                                              \
    static void model_##NAME(upc_type_t type, uint64_t *random) {                                       \
        const upcr_pshared_ptr_t d =                                                                    \
            upc_all_atomicdomain_alloc(type, all_ops(OPS), UPC_ATOMIC_HINT_DEFAULT);                    \
        T model[kMaxThreads][kObjects];                                                                 \
        memset(model, 0, sizeof model);                                                                 \
        for (upcr_thread_t t = 0; t < upcr_threads(); ++t)                                              \
            upcr_memset(spmd_part(own, t, upcr_mythread() * (size_t)kObjects * kBytes), 0,              \
                        kObjects *kBytes);                                                              \
        for (uint64_t i = 0, rounds = spmd_effort(600); i < rounds; ++i) {                              \
            const upcr_thread_t t = (upcr_thread_t)spmd_below(random, upcr_threads());                  \
            const size_t which = spmd_below(random, kObjects);                                          \
            const upcr_shared_ptr_t at =                                                                \
                spmd_part(own, t, (upcr_mythread() * (size_t)kObjects + which) * kBytes);               \
            const upc_op_t op = numeric[spmd_below(random, OPS)];                                       \
            const T x = (T)((int64_t)spmd_random(random) >> (spmd_below(random, 2) * 60)),              \
                    y = (T)(x / 2 + 3);                                                                 \
            T *const m = &model[t][which], old = *m, got = 0;                                           \
            const T guess = spmd_below(random, 2) ? old : x;                                            \
            const int fetch = op == UPC_GET || spmd_below(random, 3) != 0,                              \
                      strict = (int)spmd_below(random, 2);                                              \
            void *const result = fetch ? &got : NULL;                                                   \
            const void *operand = op == UPC_GET || op == UPC_INC || op == UPC_DEC ? NULL : &x;          \
            if (op == UPC_CSWAP) operand = &guess;                                                      \
            call(strict, d, result, op, at, operand, op == UPC_CSWAP ? &y : NULL);                      \
            if (fetch && memcmp(&got, &old, sizeof got) != 0)                                           \
                SPMD_FAIL("seed %llu: type %d operation %llx gives %.17g, not %.17g",                   \
                          (unsigned long long)seed, type, op, (double)got, (double)old);                \
            switch (op) {                                                                               \
            case UPC_GET: break;                                                                        \
            case UPC_SET: *m = x; break;                                                                \
            case UPC_CSWAP:                                                                             \
                if (memcmp(&guess, &old, sizeof old) == 0) *m = y;                                      \
                break;                                                                                  \
            case UPC_ADD: *m = (T)((WIDE)old + (WIDE)x); break;                                         \
            case UPC_SUB: *m = (T)((WIDE)old - (WIDE)x); break;                                         \
            case UPC_MULT: *m = (T)((WIDE)old * (WIDE)x); break;                                        \
            case UPC_MIN: *m = x < old ? x : old; break;                                                \
            case UPC_MAX: *m = x > old ? x : old; break;                                                \
            case UPC_INC: *m = (T)((WIDE)old + 1); break;                                               \
            case UPC_DEC: *m = (T)((WIDE)old - 1); break;                                               \
            default: BITWISE break;                                                                     \
            }                                                                                           \
        }                                                                                               \
        for (upcr_thread_t t = 0; t < upcr_threads(); ++t) {                                            \
            for (size_t i = 0; i < kObjects; ++i) {                                                     \
                T got;                                                                                  \
                upcr_memget(&got, spmd_part(own, t, (upcr_mythread() * (size_t)kObjects + i) * kBytes), \
                            sizeof got);                                                                \
                SPMD_CHECK(memcmp(&got, &model[t][i], sizeof got) == 0);                                \
            }                                                                                           \
        }                                                                                               \
        upc_all_atomicdomain_free(d);                                                                   \
    }
#define BITS *m = op == UPC_AND ? (old & x) : op == UPC_OR ? (old | x) : (old ^ x);
MODEL(int, int, uint64_t, kIntegerOps, BITS)
MODEL(uint, unsigned int, uint64_t, kIntegerOps, BITS)
MODEL(long, long, uint64_t, kIntegerOps, BITS)
MODEL(ulong, unsigned long, uint64_t, kIntegerOps, BITS)
MODEL(int32, int32_t, uint64_t, kIntegerOps, BITS)
MODEL(uint32, uint32_t, uint64_t, kIntegerOps, BITS)
MODEL(int64, int64_t, uint64_t, kIntegerOps, BITS)
MODEL(uint64, uint64_t, uint64_t, kIntegerOps, BITS)
MODEL(float, float, float, kFloatOps, )
MODEL(double, double, double, kFloatOps, )

static upcr_shared_ptr_t some_pointer(uint64_t *random) {
    return upcri_make_shared(4096 + 8 * spmd_below(random, 4),
                             (upcr_thread_t)spmd_below(random, upcr_threads()),
                             (upcr_phase_t)spmd_below(random, 3));
}
static int same(upcr_shared_ptr_t a, upcr_shared_ptr_t b) { return memcmp(&a, &b, sizeof a) == 0; }

static void pointers(uint64_t *random) {
    const upcr_pshared_ptr_t d =
        upc_all_atomicdomain_alloc(UPC_PTS, all_ops(kPointerOps), UPC_ATOMIC_HINT_LATENCY);
    upcr_shared_ptr_t model[kMaxThreads];
    unsigned swapped = 0;
    for (upcr_thread_t t = 0; t < upcr_threads(); ++t) {
        model[t] = upcr_null_shared;
        upcr_memset(spmd_part(own, t, upcr_mythread() * (size_t)kObjects * kBytes), 0, kBytes);
    }
    for (uint64_t i = 0, rounds = spmd_effort(1000); i < rounds; ++i) {
        const upcr_thread_t t = (upcr_thread_t)spmd_below(random, upcr_threads());
        const upcr_shared_ptr_t at = spmd_part(own, t, upcr_mythread() * (size_t)kObjects * kBytes);
        const upcr_shared_ptr_t x = some_pointer(random), y = some_pointer(random), old = model[t];
        upcr_shared_ptr_t got = x;
        const unsigned choice = (unsigned)spmd_below(random, 4);
        const upc_op_t op = choice == 0 ? UPC_SET : choice == 1 ? UPC_GET : UPC_CSWAP;
        call((int)(i % 2), d, choice == 0 && i % 3 == 0 ? NULL : &got, op, at, op == UPC_GET ? NULL : &x,
             op == UPC_CSWAP ? &y : NULL);
        if (!(choice == 0 && i % 3 == 0)) SPMD_CHECK(same(got, old));
        if (op == UPC_SET) model[t] = x;
        if (op == UPC_CSWAP && upcr_isequal_shared_shared(old, x)) {
            model[t] = y;
            ++swapped;
        }
    }
    SPMD_CHECK(swapped != 0 || spmd_effort(1000) < 1000);
    upc_all_atomicdomain_free(d);
}

/* All threads push nodes on one list, whose head is a pointer in the last thread's memory. */
static void list(void) {
    const uint64_t count = spmd_effort(400);
    const upcr_thread_t me = upcr_mythread();
    const upcr_pshared_ptr_t d =
        upc_all_atomicdomain_alloc(UPC_PTS, UPC_GET | UPC_SET | UPC_CSWAP, UPC_ATOMIC_HINT_DEFAULT);
    const upcr_shared_ptr_t head = spmd_part(common, upcr_threads() - 1, 8); /* 8-aligned is enough */
    const upcr_shared_ptr_t nodes = spmd_alloc((count + 1) * kBytes);
    uint64_t found = 0;
    for (uint64_t i = 1; i <= count; ++i) {
        upcr_shared_ptr_t seen, before,
            node = upcri_make_shared(upcr_addrfield_shared(nodes) + i * kBytes, me, i % 5);
        upc_atomic_relaxed(d, &seen, UPC_GET, head, NULL, NULL);
        for (;;) {
            upcr_put_shared(node, 0, &seen, sizeof seen);
            before = upcri_make_shared(upcr_addrfield_shared(seen), upcr_threadof_shared(seen),
                                       (upcr_phaseof_shared(seen) + 1) % 5);
            if (upcr_isnull_shared(seen)) before = seen;
            upc_atomic_strict(d, &before, UPC_CSWAP, head, &before, &node); /* the phase does not matter */
            if (upcr_isequal_shared_shared(before, seen)) break;
            seen = before;
        }
    }
    spmd_barrier();
    if (me == 0) {
        upcr_shared_ptr_t at;
        upc_atomic_strict(d, &at, UPC_GET, head, NULL, NULL);
        for (; !upcr_isnull_shared(at); ++found)
            upcr_get_shared(&at, upcr_shared_resetphase(at), 0, sizeof at);
        SPMD_EQ(found, count * upcr_threads());
    }
    spmd_barrier();
    upc_all_atomicdomain_free(d);
    upcr_all_free(nodes);
}

static void together(void) {
    const uint64_t count = spmd_effort(2000);
    const upcr_thread_t me = upcr_mythread(), n = upcr_threads();
    const upcr_pshared_ptr_t i64 = upc_all_atomicdomain_alloc(UPC_INT64,
                                                              UPC_ADD | UPC_MAX | UPC_GET | UPC_INC, 0),
                             f = upc_all_atomicdomain_alloc(UPC_FLOAT, UPC_SUB | UPC_GET | UPC_MIN,
                                                            UPC_ATOMIC_HINT_THROUGHPUT),
                             u32 = upc_all_atomicdomain_alloc(UPC_UINT32,
                                                              UPC_MULT | UPC_GET | UPC_SET | UPC_DEC, 0);
    const float quarter = 0.25f;
    const uint32_t one = 1, seven = 7;
    if (me == 0) upc_atomic_strict(u32, NULL, UPC_SET, spmd_part(common, 0, 56), &one, NULL);
    spmd_barrier();
    for (uint64_t i = 0; i < count; ++i) {
        const upcr_thread_t t = (upcr_thread_t)((i + me) % n);
        const int64_t two = 2, mine = (int64_t)(i * n + me);
        const float low = -(float)mine;
        upc_atomic_relaxed(i64, NULL, UPC_ADD, spmd_part(common, t, 32), &two, NULL);
        upc_atomic_relaxed(i64, NULL, UPC_INC, spmd_part(common, 0, 32), NULL, NULL);
        upc_atomic_strict(i64, NULL, UPC_MAX, spmd_part(common, 0, 40), &mine, NULL);
        upc_atomic_relaxed(f, NULL, UPC_SUB, spmd_part(common, n - 1, 48), &quarter, NULL);
        upc_atomic_strict(f, NULL, UPC_MIN, spmd_part(common, n - 1, 52), &low, NULL);
        upc_atomic_relaxed(u32, NULL, UPC_MULT, spmd_part(common, 0, 56), &seven, NULL);
        upc_atomic_strict(u32, NULL, UPC_DEC, spmd_part(common, 0, 60), NULL, NULL);
    }
    spmd_barrier();
    int64_t total = 0, v;
    for (upcr_thread_t t = 0; t < n; ++t) {
        upc_atomic_strict(i64, &v, UPC_GET, spmd_part(common, t, 32), NULL, NULL);
        total += v;
    }
    SPMD_EQ(total, 3 * count * n);
    upc_atomic_strict(i64, &v, UPC_GET, spmd_part(common, 0, 40), NULL, NULL);
    SPMD_EQ(v, count * n - 1);
    float sum, least;
    uint32_t product, down, want = 1;
    upc_atomic_strict(f, &sum, UPC_GET, spmd_part(common, n - 1, 48), NULL, NULL);
    upc_atomic_strict(f, &least, UPC_GET, spmd_part(common, n - 1, 52), NULL, NULL);
    SPMD_CHECK(sum == -0.25f * (float)(count * n) && least == -(float)(count * n - 1));
    upc_atomic_strict(u32, &product, UPC_GET, spmd_part(common, 0, 56), NULL, NULL);
    upc_atomic_strict(u32, &down, UPC_GET, spmd_part(common, 0, 60), NULL, NULL);
    for (uint64_t i = 0; i < count * n; ++i) want *= 7;
    SPMD_EQ(product, want);
    SPMD_EQ(down, (uint32_t) - (count * n));
    spmd_barrier();
    upc_all_atomicdomain_free(u32);
    upc_all_atomicdomain_free(i64);
    upc_all_atomicdomain_free(f);
    upc_all_atomicdomain_free(upcr_null_pshared);
}

static void isfast(void) {
    for (upcr_thread_t t = 0; t < upcr_threads(); ++t) {
        const upcr_shared_ptr_t at = spmd_part(common, t, 0);
        const int here = upc_cast(at) != NULL;
        SPMD_EQ(upc_atomic_isfast(UPC_INT64, UPC_ADD | UPC_GET, at),
                here ? UPC_ATOMIC_PERFORMANCE_FAST : UPC_ATOMIC_PERFORMANCE_NOT_FAST);
        SPMD_EQ(upc_atomic_isfast(UPC_PTS, UPC_CSWAP, at), here);
        SPMD_EQ(upc_atomic_isfast(UPC_PTS, UPC_ADD, at), 0);
        SPMD_EQ(upc_atomic_isfast(UPC_DOUBLE, UPC_XOR, at), 0);
        SPMD_EQ(upc_atomic_isfast(UPC_CHAR, UPC_GET, at), 0);
    }
}

static void run(void) {
    const upcr_shared_ptr_t p = spmd_alloc((size_t)upcr_threads() * kObjects * kBytes), q = spmd_alloc(64);
    const char *const given = getenv("SPMD_SEED");
    uint64_t random;
    SPMD_CHECK(upcr_threads() <= kMaxThreads);
    if (upcri_mypthread() == 0) {
        own = p;
        common = q;
        seed = given != NULL ? strtoull(given, NULL, 10) : 4711;
    }
    spmd_barrier();
    random = seed * 1000 + upcr_mythread();
    model_int(UPC_INT, &random);
    model_uint(UPC_UINT, &random);
    model_long(UPC_LONG, &random);
    model_ulong(UPC_ULONG, &random);
    model_int32(UPC_INT32, &random);
    model_uint32(UPC_UINT32, &random);
    model_int64(UPC_INT64, &random);
    model_uint64(UPC_UINT64, &random);
    model_float(UPC_FLOAT, &random);
    model_double(UPC_DOUBLE, &random);
    pointers(&random);
    spmd_barrier();
    isfast();
    together();
    list();
}

SPMD_MAIN(run)

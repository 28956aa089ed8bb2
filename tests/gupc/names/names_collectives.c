/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All collectives against serial models: the six that move data, 11 types of reductions and prefix reductions
 * with each operator, sorting with a function that gets the program's pointers, upc_coll_init and upc_coll_err.
 * Shapes, affinities and flags are random. Then: the meaning of flags, so that flags of the other encoding are noticed.
 */
#include <unistd.h>

#include "tests/gupc/names/names.h"

EMIT_PROGRAM_INFO;

enum { MOST = 8, BLOCK = 700, ELEMENTS = 60, ROW = 32, AREA = 4096 };
SHARED(unsigned char, source, MOST *BLOCK);
SHARED(unsigned char, target, MOST *BLOCK);
SHARED(int, permutation, 1);
SHARED(long double, operands, AREA / 16);
SHARED(long double, results, AREA / 16);
SHARED(int, entered, 1);

static const int in_flags[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC, 0};
static const int out_flags[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC, 0};
static int some_flags(uint64_t *s) { return in_flags[random_below(s, 4)] | out_flags[random_below(s, 4)]; }

/* ---- data ---- */

enum mover { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, PERMUTE, MOVERS };

static unsigned char byte_of(uint64_t round, int thread, int block, size_t i) {
    return (unsigned char)(round * 3 + (unsigned)thread * 17 + (unsigned)block * 5 + i);
}

/* Block b of this thread's target must be block `block` of thread `from`. */
static void check_block(uint64_t round, size_t n, int b, int from, int block) {
    const unsigned char *const p = (unsigned char *)own(target) + (size_t)b * n;
    for (size_t i = 0; i < n; ++i)
        if (p[i] != byte_of(round, from, block, i)) {
            CHECK(!"the bytes of a block");
            return;
        }
}

static void one_move(enum mover mover, uint64_t round, uint64_t *s) {
    const size_t n = 1 + random_below(s, BLOCK);
    const int root = (int)random_below(s, (uint64_t)THREADS), turn = (int)random_below(s, (uint64_t)THREADS),
              flags = some_flags(s);
    unsigned char *const src = own(source);
    for (int b = 0; b < THREADS; ++b)
        for (size_t i = 0; i < n; ++i) src[(size_t)b * n + i] = byte_of(round, MYTHREAD, b, i);
    memset(own(target), 0, sizeof target);
    *(int *)own(permutation) = (MYTHREAD + turn) % THREADS;
    barrier_all();
    switch (mover) {
    case BROADCAST: upc_all_broadcast(part(target, 0, 0, 1), part(source, root, 0, 2), n, flags); break;
    case SCATTER: upc_all_scatter(emit_at(target, 0), emit_at(source, root), n, flags); break;
    case GATHER: upc_all_gather(emit_at(target, root), emit_at(source, 0), n, flags); break;
    case GATHER_ALL: upc_all_gather_all(emit_at(target, 0), emit_at(source, 0), n, flags); break;
    case EXCHANGE: upc_all_exchange(emit_at(target, 0), emit_at(source, 0), n, flags); break;
    default: upc_all_permute(emit_at(target, 0), emit_at(source, 0), emit_at(permutation, 0), n, flags);
    }
    barrier_all();
    switch (mover) {
    case BROADCAST: check_block(round, n, 0, root, 0); break;
    case SCATTER: check_block(round, n, 0, root, MYTHREAD); break;
    case PERMUTE: check_block(round, n, 0, (MYTHREAD + THREADS - turn) % THREADS, 0); break;
    default:
        for (int t = 0; t < THREADS && (mover != GATHER || MYTHREAD == root); ++t)
            check_block(round, n, t, t, mover == EXCHANGE ? MYTHREAD : 0);
    }
    barrier_all();
}

/* ---- reductions ---- */

enum operation { ADD, MULT, MIN, MAX, LOGAND, LOGOR, FUNC, NONCOMM_FUNC, AND, OR, XOR, OPERATIONS };
static const upc_op_t codes[] = {UPC_ADD,  UPC_MULT,         UPC_MIN, UPC_MAX, UPC_LOGAND, UPC_LOGOR,
                                 UPC_FUNC, UPC_NONCOMM_FUNC, UPC_AND, UPC_OR,  UPC_XOR};

/* Results are exact in each type: sums are small, products powers of two. */
static int operand(enum operation op, uint64_t *s) {
    static const int factors[] = {1, 1, -1, 2};
    if (op == MULT) return factors[random_below(s, 4)];
    if (op == LOGAND) return random_below(s, 20) != 0;
    if (op == LOGOR || op == NONCOMM_FUNC) return random_below(s, 10) == 0 ? (int)random_below(s, 100) : 0;
    return (int)random_below(s, 101) - 50;
}

/* Where an array of random shape begins. */
static struct array random_array(const void *placeholder, size_t bytes, uint64_t *s) {
    struct array a = {placeholder, bytes, random_below(s, 4) == 0 ? 0 : 1 + random_below(s, 9), 0,
                      (int)random_below(s, (uint64_t)THREADS)};
    if (a.block != 0) a.phase = random_below(s, a.block);
    return a;
}
/* That a row of the last element fits. */
static int fits(const struct array *a, size_t n) {
    const size_t rows =
        a->block == 0 ? n : ((size_t)a->thread + (a->phase + n) / a->block) / (size_t)THREADS + 1;
    return rows * (a->block == 0 ? 1 : a->block) * a->bytes <= AREA;
}

#define IF_0(x)
#define IF_1(x) x
#define REDUCTION(T, TYPE, WIDE, INTEGER)                                                                  \
    static TYPE sum_##T(TYPE a, TYPE b) { return (TYPE)((WIDE)a + (WIDE)b); }                              \
    static TYPE first_##T(TYPE a, TYPE b) { return a != 0 ? a : b; }                                       \
    static TYPE combine_##T(enum operation op, TYPE a, TYPE b) {                                           \
        switch (op) {                                                                                      \
        case ADD:                                                                                          \
        case FUNC: return (TYPE)((WIDE)a + (WIDE)b);                                                       \
        case MULT: return (TYPE)((WIDE)a * (WIDE)b);                                                       \
        case MIN: return a < b ? a : b;                                                                    \
        case MAX: return a > b ? a : b;                                                                    \
        case LOGAND: return (TYPE)(a && b);                                                                \
        case LOGOR:                                                                                        \
            return (TYPE)(a || b);                                                                         \
            IF_##INTEGER(case AND                                                                          \
                         : return (TYPE)(a & b);                                                           \
                         case OR                                                                           \
                         : return (TYPE)(a | b);                                                           \
                         case XOR                                                                          \
                         : return (TYPE)(a ^ b);) default : return first_##T(a, b);                        \
        }                                                                                                  \
    }                                                                                                      \
    static void check_##T(uint64_t *s) {                                                                   \
        for (enum operation op = 0; op < (INTEGER ? OPERATIONS : AND); ++op) {                             \
            const size_t n = 1 + random_below(s, ELEMENTS);                                                \
            const int flags = some_flags(s), prefix_flags = some_flags(s),                                 \
                      at = (int)random_below(s, (uint64_t)THREADS);                                        \
            struct array src = random_array(operands, sizeof(TYPE), s);                                    \
            TYPE values[ELEMENTS], expected[ELEMENTS], got;                                                \
            if (!fits(&src, n)) src.block = src.phase = 0;                                                 \
            struct array dst = src;                                                                        \
            dst.placeholder = results;                                                                     \
            for (size_t i = 0; i < n; ++i) {                                                               \
                values[i] = (TYPE)operand(op, s);                                                          \
                expected[i] = i == 0 ? values[i] : combine_##T(op, expected[i - 1], values[i]);            \
                const P p = element(&src, i);                                                              \
                if (upc_threadof(p) == (size_t)MYTHREAD) upc_memput(p, &values[i], sizeof(TYPE));          \
            }                                                                                              \
            TYPE (*const func)(TYPE, TYPE) = op == FUNC ? sum_##T : op == NONCOMM_FUNC ? first_##T : NULL; \
            barrier_all();                                                                                 \
            upc_all_reduce##T(part(results, at, 0, 0), element(&src, 0), codes[op], n, src.block, func,    \
                              flags);                                                                      \
            barrier_all();                                                                                 \
            upc_memget(&got, part(results, at, 0, 0), sizeof got);                                         \
            CHECK(got == expected[n - 1] || !"upc_all_reduce" #T);                                         \
            barrier_all();                                                                                 \
            upc_all_prefix_reduce##T(element(&dst, 0), element(&src, 0), codes[op], n, src.block, func,    \
                                     prefix_flags);                                                        \
            barrier_all();                                                                                 \
            for (size_t i = 0; i < n; ++i) {                                                               \
                const P p = element(&dst, i);                                                              \
                if (upc_threadof(p) != (size_t)MYTHREAD) continue;                                         \
                upc_memget(&got, p, sizeof got);                                                           \
                CHECK(got == expected[i] || !"upc_all_prefix_reduce" #T);                                  \
            }                                                                                              \
            barrier_all();                                                                                 \
        }                                                                                                  \
    }
NAMES_REDUCE_TYPES(REDUCTION)

/* ---- sorting ---- */

struct record {
    int key;
    unsigned number;
};
static EMIT_PER_THREAD long compared, foreign;

static int by_key(P a, P b) {
    ++compared;
    /* Its arguments point to the calling thread's memory, in the program's form. */
    if (upc_threadof(a) != (size_t)MYTHREAD || upc_phaseof(b) != 0) ++foreign;
    const int x = (int)__getsi2(a), y = (int)__getsi2(b);
    return x < y ? -1 : x > y;
}

static void check_sort(uint64_t *s) {
    const size_t n = random_below(s, 4) == 0 ? random_below(s, 3) : 1 + random_below(s, 3 * ELEMENTS);
    struct array a = random_array(operands, sizeof(struct record), s);
    const int flags = some_flags(s);
    unsigned char seen[3 * ELEMENTS] = {0};
    if (!fits(&a, n)) a.block = 7, a.phase = 0;
    int keys[3 * ELEMENTS], last = INT_MIN;
    for (size_t i = 0; i < n; ++i) {
        const struct record r = {keys[i] = (int)random_below(s, 50) - 25, (unsigned)i};
        const P p = element(&a, i);
        if (upc_threadof(p) == (size_t)MYTHREAD) upc_memput(p, &r, sizeof r);
    }
    barrier_all();
    upc_all_sort(element(&a, 0), sizeof(struct record), n, a.block, by_key, flags);
    barrier_all();
    for (size_t i = 0; i < n; ++i) {
        struct record r;
        upc_memget(&r, element(&a, i), sizeof r);
        CHECK(r.key >= last && r.number < n && !seen[r.number] && keys[r.number] == r.key);
        if (r.number < n) seen[r.number] = 1;
        last = r.key;
    }
    barrier_all();
}

/* ---- flags ---- */

static int total(int a, int b) { return a + b; }

/* NOSYNC: a thread that only contributes enters and returns before the others enter. (With flags that mean
 * ALLSYNC this hangs, and the time limit ends the job.) ALLSYNC: no thread returns before the last has entered. */
static void check_synchronisation(void) {
    const struct array src = {operands, sizeof(int), 1, 0, 0};
    const int last = THREADS - 1, value = MYTHREAD + 1;
    int got = 0;
    if (THREADS == 1) return;
    *(int *)own(entered) = 0;
    upc_memput(element(&src, (size_t)MYTHREAD), &value, sizeof value);
    barrier_all();
    if (MYTHREAD != last) /* until the last thread is through */
        while (__getssi2(emit_at(entered, MYTHREAD)) == 0) {
        }
    upc_all_reduceI(emit_at(results, 0), element(&src, 0), UPC_FUNC, (size_t)THREADS, 1, total,
                    UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    if (MYTHREAD == last)
        for (int t = 0; t < THREADS; ++t) __putssi2(emit_at(entered, t), 1);
    barrier_all();
    upc_memget(&got, emit_at(results, 0), sizeof got);
    CHECK(got == THREADS * (THREADS + 1) / 2);
    *(int *)own(entered) = 0;
    barrier_all();
    if (MYTHREAD == last) {
        usleep(20000); /* others may leave too early in this time, if they do */
        for (int t = 0; t < THREADS; ++t) __putssi2(emit_at(entered, t), 1);
    }
    upc_all_reduceI(emit_at(results, last), element(&src, 0), UPC_ADD, (size_t)THREADS, 1, NULL,
                    UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK(__getssi2(emit_at(entered, MYTHREAD)) == 1);
    /* OUT_ALLSYNC: and it is there. */
    upc_memget(&got, emit_at(results, last), sizeof got);
    CHECK(got == THREADS * (THREADS + 1) / 2);
    barrier_all();
}

/* Relaxed accesses before a collective are complete when it begins. */
static void check_after_puts(int round) {
    const int right = (MYTHREAD + 1) % THREADS;
    for (int b = 0; b < THREADS; ++b)
        __putsi2(part(source, right, (size_t)b * 4, 0), (unsigned)(round * 100 + right));
    if (round & 1)
        upc_all_gather_all(emit_at(target, 0), emit_at(source, 0), 4, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    else
        upc_all_exchange(emit_at(target, 0), emit_at(source, 0), 4, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (int t = 0; t < THREADS; ++t) CHECK(((int *)own(target))[t] == round * 100 + t);
    barrier_all();
}

int main(void) {
    uint64_t s = 11;
    upc_coll_init();
    for (uint64_t round = 0; round < 6 * MOVERS; ++round) one_move((enum mover)(round % MOVERS), round, &s);
#define CHECK_REDUCTION(T, TYPE, WIDE, INTEGER) check_##T(&s);
    NAMES_REDUCE_TYPES(CHECK_REDUCTION)
    for (int i = 0; i < 15; ++i) check_sort(&s);
    CHECK(compared > 0 && foreign == 0);
    upc_all_sort(gupc_null(), 8, 0, 0, by_key, 0); /* nothing to follow */
    for (int i = 0; i < 5; ++i) check_synchronisation();
    for (int i = 1; i < 40; ++i) check_after_puts(i);
    upc_coll_err(part(target, 0, 1, 2), emit_at(source, THREADS - 1), gupc_null(), 8, UPC_IN_MYSYNC, 3, 4,
                 UPC_MAX, 77);
    return emit_failures;
}

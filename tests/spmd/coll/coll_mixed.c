/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A random sequence of collectives, the same on all threads: flag collectives where memory is shared, and those that
 * send messages; while another collective is pending or not; with barriers of both kinds between them or without; of
 * any size, root and flags. Each thread is delayed at other times. All results are checked.
 */
#include "tests/spmd/coll/coll_support.h"

enum { MAX_BYTES = 5000, ITERATIONS = 6000 };
static const size_t sizes[] = {1, 8, 47, 48, 49, 255, 256, 257, 1023, 1365, 2048, 4096, 4097, MAX_BYTES};
enum { SIZES = sizeof sizes / sizeof sizes[0], MYSYNC = UPCRI_IN_MYSYNC | UPCRI_OUT_MYSYNC };
static const int in_flags[] = {UPCRI_IN_ALLSYNC, UPCRI_IN_MYSYNC, UPCRI_IN_NOSYNC};
static const int out_flags[] = {UPCRI_OUT_ALLSYNC, UPCRI_OUT_MYSYNC, UPCRI_OUT_NOSYNC};

static __thread upcr_shared_ptr_t source, target, numbers, result, permutation, other_source, other_target;
static __thread unsigned iteration;
static __thread uint64_t common, own; /* random states */

static unsigned random_below(uint64_t *state, unsigned n) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*state >> 33) % n);
}
static unsigned char *local(upcr_shared_ptr_t p) {
    return (unsigned char *)upcr_shared_to_local(spmd_part(p, upcr_mythread(), 0));
}
static unsigned char value(unsigned from, unsigned block) {
    return (unsigned char)(1 + (iteration * 7 + from * 31 + block * 5) % 255);
}

static void check(const unsigned char *p, size_t n, unsigned from, unsigned block, const char *what) {
    const unsigned char want = value(from, block);
    size_t i;
    for (i = 0; i < n; ++i)
        if (p[i] != want)
            SPMD_FAIL("iteration %u, %s: byte %zu of %zu from thread %u is %u, not %u", iteration, what, i, n,
                      from, p[i], want);
}

static void move(operation op, unsigned root, size_t n, int in, int out) {
    const unsigned me = upcr_mythread(), threads = upcr_threads();
    unsigned char *const src = local(source), *const dst = local(target);
    unsigned t;
    for (t = 0; t < threads; ++t) memset(src + t * n, value(me, t), n);
    memset(dst, 0, n * threads);
    *(int *)local(permutation) = (int)((me + root) % threads);
    if (in == UPCRI_IN_NOSYNC) spmd_barrier(); /* any thread may access the data from now on */
    coll_call(op, spmd_part(target, op == GATHER ? root : 0, 0),
              spmd_part(source, op == BROADCAST || op == SCATTER ? root : 0, 0), permutation, n, in | out);
    if (out == UPCRI_OUT_NOSYNC) spmd_barrier();
    switch (op) {
    case BROADCAST: check(dst, n, root, 0, "broadcast"); break;
    case SCATTER: check(dst, n, root, me, "scatter"); break;
    case PERMUTE: check(dst, n, (me + threads - root) % threads, 0, "permute"); break;
    default:
        for (t = 0; t < threads && (op != GATHER || me == root); ++t)
            check(dst + t * n, n, t, op == EXCHANGE ? me : 0, operation_names[op]);
    }
}

/* Sums over `count` consecutive threads, a number of each. Kinds: reduce, reduce to all, prefix reduce. */
static void reduce(unsigned kind, unsigned root, unsigned first, unsigned count, int in, int out) {
    const unsigned me = upcr_mythread(), threads = upcr_threads(), rank = (me + threads - first) % threads;
    const upcr_shared_ptr_t from = spmd_part(numbers, first, 0);
    long sum = 0, before = 0;
    unsigned t;
    for (t = 0; t < count; ++t) {
        const long number = (long)iteration * 3 + (first + t) % threads;
        sum += number;
        if (t <= rank) before += number;
    }
    ((long *)local(numbers))[0] = ((long *)local(numbers))[1] = (long)iteration * 3 + me;
    if (in == UPCRI_IN_NOSYNC) spmd_barrier();
    if (kind == 0)
        bupc_all_reduceL(spmd_part(result, root, 0), from, 1 /* UPC_ADD */, count, 1, NULL, in | out);
    else if (kind == 1)
        bupc_all_reduce_allL(result, from, 1, count, 1, NULL, in | out);
    else
        bupc_all_prefix_reduceL(spmd_part(result, first, 0), from, 1, count, 1, NULL, in | out);
    if (out == UPCRI_OUT_NOSYNC) spmd_barrier();
    if (kind == 1 || (kind == 0 && me == root)) SPMD_EQ(*(long *)local(result), sum);
    if (kind == 2 && rank < count) SPMD_EQ(((long *)local(result))[me < first ? 1 : 0], before);
}

/* A broadcast of all threads that is pending during the other collectives. */
static __thread bupc_coll_handle_t pending;
static __thread unsigned char pending_value;

static void begin(unsigned root) {
    pending_value = (unsigned char)(iteration % 251 + 1);
    memset(local(other_source), pending_value, MAX_BYTES);
    pending =
        bupc_team_broadcast(BUPC_TEAM_ALL, other_target, spmd_part(other_source, root, 0), MAX_BYTES, MYSYNC);
}
static void end(void) {
    size_t i;
    bupc_coll_wait(pending);
    pending = BUPC_COLL_DONE;
    for (i = 0; i < MAX_BYTES; ++i) SPMD_EQ(local(other_target)[i], pending_value);
}

static void one(void) {
    const unsigned threads = upcr_threads();
    const unsigned what = random_below(&common, 24), root = random_below(&common, threads);
    const unsigned first = random_below(&common, threads), count = 1 + random_below(&common, threads);
    const size_t n = sizes[random_below(&common, SIZES)];
    const int in = in_flags[random_below(&common, 3)], out = out_flags[random_below(&common, 3)];
    if (random_below(&own, 32) == 0) usleep(random_below(&own, 40));
    if (what < 12)
        move((operation)(what % OPERATIONS), root, n, in, out);
    else if (what < 21)
        reduce(what % 3, root, what < 18 ? 0 : first, what < 18 ? threads : count, in, out);
    else if (what == 21)
        spmd_barrier();
    else if (what == 22) {
        upcr_notify((int)iteration, 0);
        if (random_below(&own, 2) == 0) usleep(10);
        upcr_wait((int)iteration, 0);
    } else if (pending == BUPC_COLL_DONE)
        begin(root);
    else
        end();
}

static void run(void) {
    const unsigned threads = upcr_threads(), iterations = (unsigned)spmd_effort(ITERATIONS) / threads + 100;
    common = 1;
    own = upcr_mythread() + 2;
    source = spmd_alloc(MAX_BYTES * (size_t)threads);
    target = spmd_alloc(MAX_BYTES * (size_t)threads);
    other_source = spmd_alloc(MAX_BYTES);
    other_target = spmd_alloc(MAX_BYTES);
    numbers = spmd_alloc(2 * sizeof(long));
    result = spmd_alloc(2 * sizeof(long));
    permutation = spmd_alloc(sizeof(int));
    for (iteration = 0; iteration < iterations; ++iteration) one();
    if (pending != BUPC_COLL_DONE) end();
}

SPMD_MAIN(run)

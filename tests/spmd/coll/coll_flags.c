/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flag collectives, by which threads that share memory pass data through slots that are reused: many calls without
 * a barrier between them, a thread that is far ahead of a late one, sizes on both sides of each limit, large blocks
 * that two threads copy together, and the guarantees of ALLSYNC about memory of other threads.
 */
#include "tests/spmd/coll/coll_support.h"

enum { MAX_BYTES = 9000, ITERATIONS = 200 };
/* More calls than there are slots (64 for small blocks, 16 for large ones), so that all are reused at any effort. */
enum { WRAP_INLINE = 70, WRAP_SLOTS = 30 };
static const size_t sizes[] = {1, 8, 48, 49, 256, 257, 1000, 4096, 4097, 9000};
enum { SIZES = sizeof sizes / sizeof sizes[0], MYSYNC = UPCRI_IN_MYSYNC | UPCRI_OUT_MYSYNC };

static __thread upcr_shared_ptr_t source, target, words;

static unsigned char *local(upcr_shared_ptr_t p, unsigned thread, size_t byte) {
    return (unsigned char *)upcr_shared_to_local(spmd_part(p, thread, byte));
}
static unsigned char value(unsigned iteration, unsigned from) {
    return (unsigned char)(1 + (iteration * 7 + from * 31) % 255);
}

static void check(const unsigned char *p, size_t n, unsigned iteration, unsigned from) {
    const unsigned char want = value(iteration, from);
    size_t i;
    for (i = 0; i < n; ++i)
        if (p[i] != want)
            SPMD_FAIL("iteration %u: byte %zu of %zu from thread %u is %u, not %u", iteration, i, n, from,
                      p[i], want);
}

/* One thread sends, and changes its data as soon as it may; the others are delayed, each in other iterations. */
static void one_ahead(unsigned root, size_t n) {
    const unsigned me = upcr_mythread(), iterations = (unsigned)spmd_effort(ITERATIONS) + WRAP_INLINE;
    unsigned iteration, i;
    for (iteration = 0; iteration < iterations; ++iteration) {
        if (me == root) memset(local(source, me, 0), value(iteration, root), n);
        for (i = 0; me != root && (iteration + me) % 16 == 0 && i < 3; ++i) usleep(20);
        bupc_all_broadcast(target, spmd_part(source, root, 0), n, MYSYNC);
        check(local(target, me, 0), n, iteration, root);
        memset(local(source, me, 0), 0, n);
    }
    spmd_barrier();
}

/* The same for collectives in which all threads send to one, or to all. */
static void many_ahead(unsigned root, size_t n) {
    const unsigned me = upcr_mythread(), threads = upcr_threads(),
                   iterations = (unsigned)spmd_effort(ITERATIONS) + WRAP_INLINE;
    unsigned iteration, t;
    for (iteration = 0; iteration < iterations; ++iteration) {
        memset(local(source, me, 0), value(iteration, me), n * threads);
        if ((iteration + me) % 16 == 0) usleep(20);
        if (iteration % 3 == 0)
            bupc_all_gather_all(target, source, n, MYSYNC);
        else if (iteration % 3 == 1)
            bupc_all_exchange(target, source, n, MYSYNC);
        else
            bupc_all_gather(spmd_part(target, root, 0), source, n, MYSYNC);
        for (t = 0; t < threads && (iteration % 3 != 2 || me == root); ++t)
            check(local(target, me, t * n), n, iteration, t);
    }
    spmd_barrier();
}

/* Large blocks of a root, which helps the threads that copy them: a block is complete on return and is not written
 * afterwards, whichever thread was late. */
static void from_busy_root(unsigned root, size_t n) {
    const unsigned me = upcr_mythread(), threads = upcr_threads(),
                   iterations = (unsigned)spmd_effort(12) + WRAP_SLOTS;
    const upcr_shared_ptr_t from = spmd_alloc(n * threads), to = spmd_alloc(n);
    unsigned char *const mine = local(to, me, 0), *const sent = local(from, me, 0);
    unsigned iteration, t;
    size_t i, step;
    for (iteration = 0; iteration < iterations; ++iteration) {
        const int scatter = iteration % 2, all = iteration % 5 == 4;
        const unsigned blocks = scatter ? threads : 1;
        if (all) spmd_barrier(); /* no thread accesses its target any more */
        for (t = 0; me == root && t < blocks; ++t)
            for (i = 0; i < n; ++i) sent[t * n + i] = (unsigned char)(value(iteration, t) ^ i >> 9);
        if ((iteration + me) % 4 == 0) usleep(50);
        for (i = 0; !all && iteration != 0 && i < n; ++i)
            if (mine[i] != 0xEE)
                SPMD_FAIL("iteration %u: byte %zu of %zu has changed after the call before", iteration, i, n);
        (scatter ? bupc_all_scatter : bupc_all_broadcast)(to, spmd_part(from, root, 0), n, all ? 0 : MYSYNC);
        for (step = 4096; step != 0;
             step = step == 1
                        ? 0
                        : 1) /* a few bytes first: a late store must not arrive before they are checked */
            for (i = n - 1; i < n; i -= step)
                if (mine[i] != (unsigned char)(value(iteration, scatter ? me : 0) ^ i >> 9))
                    SPMD_FAIL("iteration %u: byte %zu of %zu is %u", iteration, i, n, mine[i]);
        memset(mine, 0xEE, n);
    }
    spmd_barrier();
}

/* ALLSYNC: data that other threads stored here before they entered is sent, and data for other threads has arrived. */
static void of_others(size_t n) {
    const unsigned me = upcr_mythread(), threads = upcr_threads(), next = (me + 1) % threads;
    const unsigned iterations = 30;
    unsigned char *const buffer = (unsigned char *)malloc(n * threads);
    unsigned iteration, op, t;
    for (iteration = 0; iteration < iterations; ++iteration)
        for (op = BROADCAST; op <= EXCHANGE; ++op) {
            const unsigned root = iteration % threads;
            const int from_root = op == BROADCAST || op == SCATTER;
            if ((iteration + me) % 4 == 0) usleep(20);
            memset(buffer, value(iteration + op, next), n * threads);
            upcr_memput(spmd_part(source, next, 0), buffer, n * threads);
            coll_call((operation)op, spmd_part(target, op == GATHER ? root : 0, 0),
                      spmd_part(source, from_root ? root : 0, 0), words, n, 0);
            if (op == GATHER) {
                upcr_memget(buffer, spmd_part(target, root, 0), n * threads);
                for (t = 0; t < threads; ++t) check(buffer + t * n, n, iteration + op, t);
            } else {
                const unsigned blocks = from_root ? 1 : threads;
                upcr_memget(buffer, spmd_part(target, next, 0), n * blocks);
                for (t = 0; t < blocks; ++t) check(buffer + t * n, n, iteration + op, from_root ? root : t);
            }
            spmd_barrier(); /* the neighbour of its owner has read the target */
        }
    free(buffer);
}

/* Sums, for which the last thread is late; with ALLSYNC the neighbour's result has arrived as well. */
static void sums(void) {
    const unsigned me = upcr_mythread(), threads = upcr_threads(),
                   iterations = (unsigned)spmd_effort(ITERATIONS) + WRAP_INLINE;
    const unsigned next = (me + 1) % threads;
    unsigned iteration, t;
    for (iteration = 0; iteration < iterations; ++iteration) {
        const int all = iteration % 4 == 3, one = iteration % 4 == 2;
        const unsigned root = iteration / 4 % threads;
        long want = 0;
        for (t = 0; t < threads; ++t) want += (long)iteration * 3 + t;
        if (all) spmd_barrier();
        if (all) /* the neighbour's element */
            upcr_put_shared_val(spmd_part(source, next, 0), 0,
                                (upcr_register_value_t)((long)iteration * 3 + next), sizeof(long));
        else
            *(long *)local(source, me, 0) = (long)iteration * 3 + me;
        if (me == threads - 1 && iteration % 16 == 0) usleep(50);
        if (one)
            bupc_all_reduceL(spmd_part(target, root, 0), source, 1 /* UPC_ADD */, threads, 1, NULL, MYSYNC);
        else
            bupc_all_reduce_allL(target, source, 1, threads, 1, NULL, all ? 0 : MYSYNC);
        if (!one || me == root) SPMD_EQ(*(long *)local(target, me, 0), want);
        if (!all) continue;
        SPMD_EQ(upcr_get_shared_val(spmd_part(target, next, 0), 0, sizeof(long)), want);
        spmd_barrier();
    }
    spmd_barrier();
}

static void run(void) {
    const unsigned threads = upcr_threads();
    unsigned i;
    source = spmd_alloc(MAX_BYTES * (size_t)threads);
    target = spmd_alloc(MAX_BYTES * (size_t)threads);
    words = spmd_alloc(sizeof(int));
    for (i = 0; i < SIZES; ++i) {
        one_ahead(i % threads, sizes[i]);
        many_ahead(i % threads, sizes[i]);
        of_others(sizes[i]);
    }
    from_busy_root(0, 128 << 10);
    from_busy_root(threads - 1, 300001);
    sums();
}

SPMD_MAIN(run)

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The meaning of the flags of collectives. One thread is late: it enters after all threads have left that must not
 * wait for it, so a call that waits for more than its flags demand hangs until the time limit of the test. Threads
 * that must wait check that the late thread had entered when they left.
 */
#include "tests/spmd/coll/coll_support.h"

enum { BYTES = 3000, WORD = 8 };

static __thread upcr_shared_ptr_t source, target, permutation;
static __thread upcr_shared_ptr_t started, left; /* a word of each thread on each thread */
static __thread upcr_shared_ptr_t late_entered;
static __thread unsigned round_number;

static const int in_flags[] = {UPCRI_IN_ALLSYNC, UPCRI_IN_MYSYNC, UPCRI_IN_NOSYNC};
static const int out_flags[] = {UPCRI_OUT_ALLSYNC, UPCRI_OUT_MYSYNC, UPCRI_OUT_NOSYNC};

/* In permute, thread i sends to i + 1. */
static unsigned next(unsigned t) { return (t + 1) % upcr_threads(); }

typedef enum { FREE, MUST_WAIT, EITHER } expectation;

/* Whether thread t, which is not the late one, waits for it. */
static expectation expected(operation op, unsigned t, unsigned root, unsigned late, int in, int out) {
    const int all_to_all = op == GATHER_ALL || op == EXCHANGE;
    if (in == UPCRI_IN_ALLSYNC || out == UPCRI_OUT_ALLSYNC) return MUST_WAIT;
    if (in == UPCRI_IN_NOSYNC && out == UPCRI_OUT_NOSYNC) return FREE;
    if (all_to_all) return in == UPCRI_IN_MYSYNC && out == UPCRI_OUT_MYSYNC ? MUST_WAIT : EITHER;
    if (op == PERMUTE) {
        const int touches = in == UPCRI_IN_MYSYNC && next(t) == late; /* the late one's data */
        const int touched = out == UPCRI_OUT_MYSYNC && next(late) == t;
        return touched && in == UPCRI_IN_MYSYNC ? MUST_WAIT : touches || touched ? EITHER : FREE;
    }
    if (late == root) /* its data is needed */
        return in == UPCRI_IN_NOSYNC ? FREE : out == UPCRI_OUT_MYSYNC && op != GATHER ? MUST_WAIT : EITHER;
    if (t != root || out == UPCRI_OUT_NOSYNC) return FREE;
    return op == GATHER && in == UPCRI_IN_MYSYNC ? MUST_WAIT : EITHER;
}

static upcr_shared_ptr_t word(upcr_shared_ptr_t area, unsigned thread, unsigned of) {
    return spmd_part(area, thread, of * WORD);
}
static void signal_to(upcr_shared_ptr_t where) { upcr_put_shared_val_strict(where, 0, round_number, 4); }
static int is_signalled(upcr_shared_ptr_t where) {
    return upcr_get_shared_val_strict(where, 0, 4) == round_number;
}

static void run_late(operation op, unsigned root, int in, int out) {
    const unsigned me = upcr_mythread(), threads = upcr_threads();
    unsigned t, i;
    for (t = 0; t < threads; ++t) {
        const int wait_for_end = t != me && expected(op, t, root, me, in, out) == FREE;
        while (t != me && !is_signalled(word(wait_for_end ? left : started, me, t))) upcr_poll();
    }
    for (i = 0; i < 8; ++i) { /* time in which threads that wrongly do not wait leave */
        upcr_poll();
        usleep(20);
    }
    for (t = 0; t < threads; ++t) signal_to(word(late_entered, t, 0));
}

static unsigned char byte_of(unsigned from, unsigned block) {
    return (unsigned char)(round_number + 7 * from + 31 * block + 1);
}

static void check_block(operation op, const unsigned char *p, unsigned from, unsigned block) {
    unsigned i;
    for (i = 0; i < BYTES; ++i)
        if (p[i] != byte_of(from, block))
            SPMD_FAIL("%s: byte %u from thread %u is %u, not %u", operation_names[op], i, from, p[i],
                      byte_of(from, block));
}

static void one(operation op, unsigned root, unsigned late, int in, int out) {
    const unsigned me = upcr_mythread(), threads = upcr_threads();
    unsigned char *const src = (unsigned char *)upcr_shared_to_local(spmd_part(source, me, 0));
    unsigned char *const dst = (unsigned char *)upcr_shared_to_local(spmd_part(target, me, 0));
    unsigned t;
    ++round_number;
    for (t = 0; t < threads; ++t) memset(src + t * BYTES, byte_of(me, t), BYTES);
    *(int *)upcr_shared_to_local(spmd_part(permutation, me, 0)) = (int)next(me);
    spmd_barrier();
    if (me == late)
        run_late(op, root, in, out);
    else
        signal_to(word(started, late, me));
    coll_call(op, spmd_part(target, op == GATHER ? root : 0, 0),
              spmd_part(source, op == BROADCAST || op == SCATTER ? root : 0, 0), permutation, BYTES,
              in | out);
    if (me != late) {
        if (expected(op, me, root, late, in, out) == MUST_WAIT && !is_signalled(word(late_entered, me, 0)))
            SPMD_FAIL("%s, root %u, flags %#x: left before the late thread %u had entered",
                      operation_names[op], root, in | out, late);
        signal_to(word(left, late, me));
    }
    spmd_barrier();
    switch (op) {
    case BROADCAST: check_block(op, dst, root, 0); break;
    case SCATTER: check_block(op, dst, root, me); break;
    case PERMUTE: check_block(op, dst, (me + threads - 1) % threads, 0); break;
    default:
        for (t = 0; t < threads && (op != GATHER || me == root); ++t)
            check_block(op, dst + t * BYTES, t, op == EXCHANGE ? me : 0);
    }
    spmd_barrier();
}

/* A thread that is far ahead of a late one: its messages are kept for that one, up to a limit at which it waits. */
static void far_ahead(int bytes) {
    enum { ENOUGH = 40 };
    const unsigned me = upcr_mythread(), late = upcr_threads() - 1;
    const unsigned calls = (unsigned)spmd_effort(1000) + 2 * ENOUGH;
    unsigned i;
    ++round_number;
    spmd_barrier();
    if (me == late)
        while (late != 0 && !is_signalled(word(left, me, 0))) upcr_poll();
    for (i = 0; i < calls; ++i) {
        unsigned char *const src =
            (unsigned char *)upcr_shared_to_local(spmd_part(source, me, i % 2 * BYTES));
        unsigned char *const dst = (unsigned char *)upcr_shared_to_local(spmd_part(target, me, 0));
        if (me == 0) memset(src, (int)(i % 251), (size_t)bytes); /* small ones have been sent on return */
        bupc_all_broadcast(target, spmd_part(source, 0, i % 2 * BYTES), (size_t)bytes,
                           UPCRI_IN_MYSYNC | UPCRI_OUT_MYSYNC);
        SPMD_EQ(dst[0], i % 251);
        SPMD_EQ(dst[bytes - 1], i % 251);
        if (me == 0 && i == ENOUGH) signal_to(word(left, late, 0));
    }
    spmd_barrier();
}

static void run(void) {
    const unsigned threads = upcr_threads();
    unsigned op, in, out;
    source = spmd_alloc(BYTES * (threads + 1));
    target = spmd_alloc(BYTES * (threads + 1));
    permutation = spmd_alloc(sizeof(int));
    started = spmd_alloc(WORD * threads);
    left = spmd_alloc(WORD * threads);
    late_entered = spmd_alloc(WORD);
    for (op = 0; op < OPERATIONS; ++op)
        for (in = 0; in < 3; ++in)
            for (out = 0; out < 3; ++out) {
                one((operation)op, 0, threads - 1, in_flags[in], out_flags[out]);
                one((operation)op, threads - 1, 0, in_flags[in], out_flags[out]);
                one((operation)op, threads / 2, threads / 2, in_flags[in], out_flags[out]);
            }
    coll_use(BUPC_TEAM_ALL, upcr_mythread() == 0, "broadcast binomial\n");
    far_ahead(1);
    far_ahead(1000);
}

SPMD_MAIN(run)

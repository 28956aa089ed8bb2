/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory model: what strict accesses forbid (store buffering, message passing, load buffering,
 * independent reads of independent writes, read-read coherence of one location), with every placement of
 * the variables, and the coherence of relaxed accesses to one location.
 *
 * Each test has many instances, each with variables of its own; the threads of a test run through them in
 * parallel, with a barrier every kBatch instances so that they stay close. All results are checked
 * afterwards.
 */
#include "tests/spmd/spmd.h"

enum { kBatch = 32, kSpan = 64, kResults = 4 }; /* kSpan: bytes between variables */

static upcr_shared_ptr_t vars, results; /* of every thread: 2 variables an instance; thread 0: its results */
static size_t instances;

static upcr_pshared_ptr_t variable(size_t i, int which, upcr_thread_t home) {
    return spmd_ppart(vars, home, (2 * i + (size_t)which) * kSpan);
}
static void strict_put(upcr_pshared_ptr_t p, uint64_t v) { upcr_put_pshared_val_strict(p, 0, v, 8); }
static uint64_t strict_get(upcr_pshared_ptr_t p) { return upcr_get_pshared_val_strict(p, 0, 8); }
static void relaxed_put(upcr_pshared_ptr_t p, uint64_t v) { upcr_put_pshared_val(p, 0, v, 8); }
static uint64_t relaxed_get(upcr_pshared_ptr_t p) { return upcr_get_pshared_val(p, 0, 8); }

static void result(size_t i, int r, uint64_t v) {
    upcr_put_shared_val(spmd_part(results, 0, (i * kResults + (size_t)r) * 8), 0, v, 8);
}
static uint64_t *found(size_t i) {
    return (uint64_t *)upcr_shared_to_local(spmd_part(results, 0, i * kResults * 8));
}

/* The accesses of thread number `role` of a test in one instance. */
typedef void (*role_t)(int role, size_t i, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y);
typedef int (*forbidden_t)(const uint64_t *r);

static void litmus(const char *name, int roles, role_t run_role, forbidden_t forbidden) {
    const upcr_thread_t T = upcr_threads(), me = upcr_mythread();
    if (T < (upcr_thread_t)roles) return;
    for (upcr_thread_t first = 0; first < T; ++first) {
        const int role = (int)((me + T - first) % T);
        memset(upcr_shared_to_local(spmd_part(vars, me, 0)), 0, instances * 2 * kSpan);
        if (me == 0) memset(found(0), 0xff, instances * kResults * 8);
        spmd_barrier();
        for (size_t i = 0; i < instances; ++i) {
            const upcr_thread_t hx = (upcr_thread_t)(i % T), hy = (upcr_thread_t)(i / T % T);
            if (i % kBatch == 0) spmd_barrier();
            if (role < roles) run_role(role, i, variable(i, 0, hx), variable(i, 1, hy));
        }
        spmd_barrier();
        if (me == 0) {
            for (size_t i = 0; i < instances; ++i) {
                const uint64_t *r = found(i);
                if (forbidden(r))
                    SPMD_FAIL("%s, instance %zu: r = %llu %llu %llu %llu", name, i, (unsigned long long)r[0],
                              (unsigned long long)r[1], (unsigned long long)r[2], (unsigned long long)r[3]);
            }
        }
        spmd_barrier();
    }
}

static void store_buffering(int role, size_t i, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    strict_put(role == 0 ? x : y, 1);
    result(i, role, strict_get(role == 0 ? y : x));
}
static int both_zero(const uint64_t *r) { return r[0] == 0 && r[1] == 0; }

static void message_passing(int role, size_t i, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    if (role == 0) {
        strict_put(x, 1);
        strict_put(y, 1);
    } else {
        const uint64_t flag = strict_get(y);
        result(i, 0, flag);
        result(i, 1, strict_get(x));
    }
}
/* The data relaxed, the flag strict. */
static void message_relaxed_data(int role, size_t i, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    if (role == 0) {
        relaxed_put(x, 1);
        strict_put(y, 1);
    } else {
        const uint64_t flag = strict_get(y);
        result(i, 0, flag);
        result(i, 1, relaxed_get(x));
    }
}
static int flag_without_data(const uint64_t *r) { return r[0] == 1 && r[1] == 0; }

static void load_buffering(int role, size_t i, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    const uint64_t seen = strict_get(role == 0 ? x : y);
    strict_put(role == 0 ? y : x, 1);
    result(i, role, seen);
}
static int both_one(const uint64_t *r) { return r[0] == 1 && r[1] == 1; }

static void independent_reads(int role, size_t i, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    if (role < 2) {
        strict_put(role == 0 ? x : y, 1);
    } else {
        const uint64_t first = strict_get(role == 2 ? x : y);
        const uint64_t second = strict_get(role == 2 ? y : x);
        result(i, 2 * (role - 2), first);
        result(i, 2 * (role - 2) + 1, second);
    }
}
static int readers_disagree(const uint64_t *r) { return r[0] == 1 && r[1] == 0 && r[2] == 1 && r[3] == 0; }

/* One location: a value that was read is not followed by an older one. */
static void read_coherence(int role, size_t i, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    (void)y;
    if (role == 0) {
        strict_put(x, 1);
        strict_put(x, 2);
    } else {
        const uint64_t first = strict_get(x);
        result(i, 0, first);
        result(i, 1, strict_get(x));
    }
}
static void read_coherence_relaxed(int role, size_t i, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    (void)y;
    if (role == 0) {
        relaxed_put(x, 1);
        relaxed_put(x, 2);
    } else {
        const uint64_t first = relaxed_get(x);
        result(i, 0, first);
        result(i, 1, relaxed_get(x));
    }
}
static int backwards(const uint64_t *r) { return r[0] > r[1]; }

/* Relaxed accesses of one thread to one location keep their order: it reads its last write, and its last
 * write remains. */
static void own_order(void) {
    const upcr_thread_t T = upcr_threads(), me = upcr_mythread();
    for (size_t i = 0; i < instances; ++i) {
        const upcr_pshared_ptr_t p = variable(me, 0, (upcr_thread_t)(i % T));
        uint64_t memory = 3 * i + 2;
        relaxed_put(p, 3 * i + 1);
        SPMD_EQ(relaxed_get(p), 3 * i + 1);
        upcr_put_pshared(p, 0, &memory, 8);
        relaxed_put(p, 3 * i + 3);
        SPMD_EQ(relaxed_get(p), 3 * i + 3);
    }
    spmd_barrier();
}

/* A thread that spins on a strict variable of its own, without any other call, sees its neighbour's write. */
static void spin(void) {
    const upcr_thread_t T = upcr_threads(), me = upcr_mythread();
    memset(upcr_shared_to_local(spmd_part(vars, me, 0)), 0, kSpan);
    spmd_barrier();
    for (uint64_t round = 1; round <= 10; ++round) {
        if (me != 0)
            while (strict_get(variable(0, 0, me)) != round) continue;
        if (T > 1) strict_put(variable(0, 0, (me + 1) % T), round);
        if (me == 0 && T > 1)
            while (strict_get(variable(0, 0, me)) != round) continue;
    }
    spmd_barrier();
}

static void run(void) {
    const size_t count = spmd_effort(1024);
    const upcr_shared_ptr_t v = spmd_alloc((count + upcr_threads()) * 2 * kSpan);
    const upcr_shared_ptr_t r = spmd_alloc(count * kResults * 8);
    if (upcri_mypthread() == 0) {
        vars = v;
        results = r;
        instances = count;
    }
    spmd_barrier();
    litmus("store buffering", 2, store_buffering, both_zero);
    litmus("message passing", 2, message_passing, flag_without_data);
    litmus("message passing, relaxed data", 2, message_relaxed_data, flag_without_data);
    litmus("load buffering", 2, load_buffering, both_one);
    litmus("independent reads of independent writes", 4, independent_reads, readers_disagree);
    litmus("read coherence", 2, read_coherence, backwards);
    litmus("read coherence, relaxed", 2, read_coherence_relaxed, backwards);
    own_order();
    spin();
}

SPMD_MAIN(run)

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order that a barrier imposes on relaxed accesses before and after it: each instance of a test has
 * variables of its own and a barrier of its own in the middle, which every thread passes by a form of its own:
 * upcr_barrier, upcr_notify and upcr_wait, or upcr_notify and upcr_try_wait.
 *
 * The hard ones are those in which a thread continues after its notify: its accesses then are neither before
 * nor after the barrier of another thread, whose own accesses must stay in order nevertheless. A processor
 * would do a load that follows the barrier while a store from before it is still in its store buffer: only a
 * full fence prevents that. So the store follows others that take long (ballast, in the other thread's
 * cache), and the two threads of an instance start at random distances from each other, tens to hundreds of
 * nanoseconds.
 */
#include <sched.h>
#include <time.h>

#include "tests/spmd/spmd.h"

enum { kSpan = 64, kMaxDelay = 256, kBallast = 24 }; /* bytes between variables; turns of a loop; stores */
enum way { kBlocking, kWait, kTryWait, kWays };

static upcr_shared_ptr_t vars;    /* of every thread: 2 variables and a result for each instance */
static upcr_shared_ptr_t ballast; /* of thread 0; behind it, whether the test ends */
static size_t instances;
static __thread uint64_t dice; /* of this thread alone */

static upcr_pshared_ptr_t variable(size_t i, int which, upcr_thread_t home) {
    return spmd_ppart(vars, home, (3 * i + (size_t)which) * kSpan);
}
/* x (0) and y (1), with any thread and in any combination. */
static upcr_pshared_ptr_t placed(size_t i, int which) {
    const upcr_thread_t T = upcr_threads();
    return variable(i, which, (upcr_thread_t)((which == 0 ? i : i / T) % T));
}
static void put(upcr_pshared_ptr_t p, uint64_t v) { upcr_put_pshared_val(p, 0, v, 8); }
static uint64_t get(upcr_pshared_ptr_t p) { return upcr_get_pshared_val(p, 0, 8); }
static void strict_put(upcr_pshared_ptr_t p, uint64_t v) { upcr_put_pshared_val_strict(p, 0, v, 8); }
static uint64_t strict_get(upcr_pshared_ptr_t p) { return upcr_get_pshared_val_strict(p, 0, 8); }

static void delay(void) {
    for (uint64_t turns = spmd_below(&dice, kMaxDelay); turns > 0; --turns) __asm__ volatile("");
}
static void put_ballast(void) {
    for (size_t i = 0; i < kBallast; ++i) put(spmd_ppart(ballast, 0, i * kSpan), 1);
}
static void notify(void) { upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS); }
static void finish(enum way way) {
    if (way == kTryWait) {
        for (unsigned tries = 1; !upcr_try_wait(0, UPCR_BARRIERFLAG_ANONYMOUS); ++tries)
            if (tries % 16 == 0) sched_yield(); /* there may be fewer CPUs than threads */
    } else {
        upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);
    }
}
static void meet(enum way way) {
    if (way == kBlocking) {
        upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    } else {
        notify();
        finish(way);
    }
}

/* The accesses of thread number `role` of a test in one instance, with one barrier; returns the value read. */
typedef uint64_t (*role_t)(int role, enum way way, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y);
typedef int (*forbidden_t)(uint64_t r0, uint64_t r1);

/* A store before the barrier is visible after it. */
static uint64_t passing(int role, enum way way, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    put(role == 0 ? x : y, 1);
    meet(way);
    return get(role == 0 ? y : x);
}
static int any_zero(uint64_t r0, uint64_t r1) { return r0 == 0 || r1 == 0; }

/* A store after the barrier is not visible before it. */
static uint64_t not_yet(int role, enum way way, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    const uint64_t seen = get(role == 0 ? x : y);
    meet(way);
    put(role == 0 ? y : x, 1);
    return seen;
}
static int any_one(uint64_t r0, uint64_t r1) { return r0 == 1 || r1 == 1; }

/* Store buffering across the barrier, while the other one is past its notify. */
static uint64_t across(int role, enum way way, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    uint64_t seen;
    if (role == 0) {
        put_ballast();
        put(x, 1);
        meet(way);
        return get(y);
    }
    put_ballast();
    notify();
    delay();
    strict_put(y, 1);
    seen = strict_get(x);
    finish(way);
    return seen;
}
static int both_zero(uint64_t r0, uint64_t r1) { return r0 == 0 && r1 == 0; }

/* Store buffering across the notify, while the other one is past its own, or past the barrier. */
static uint64_t across_notify(int role, enum way way, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    uint64_t seen;
    put(role == 0 ? x : y, 1);
    if (role == 1 && way == kBlocking) {
        meet(way);
        return get(x);
    }
    notify();
    seen = get(role == 0 ? y : x);
    finish(way);
    return seen;
}

/* Store buffering across the wait: stored between notify and wait, read after. */
static uint64_t across_wait(int role, enum way way, upcr_pshared_ptr_t x, upcr_pshared_ptr_t y) {
    uint64_t seen;
    if (role == 1) put_ballast();
    notify();
    if (role == 0) {
        put_ballast();
        put(x, 1);
        finish(way);
        return get(y);
    }
    delay();
    strict_put(y, 1);
    seen = strict_get(x);
    finish(way);
    return seen;
}

/* A test ends early where it takes long, because others use this machine. Thread 0 decides; collective. */
enum { kBatch = 128, kEnoughMs = 400 }; /* instances before it asks; of all threads' turns together */
static int enough(const struct timespec *start) {
    const upcr_pshared_ptr_t flag = spmd_ppart(ballast, 0, kBallast * kSpan);
    if (upcr_mythread() == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        const int64_t ms = (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
        put(flag, ms * upcr_threads() > kEnoughMs);
    }
    spmd_barrier();
    const int answer = get(flag) != 0;
    spmd_barrier();
    return answer;
}

static uint64_t result(size_t i, upcr_thread_t thread) { return get(variable(i, 2, thread)); }

static void order(const char *name, role_t run_role, forbidden_t forbidden) {
    const upcr_thread_t T = upcr_threads(), me = upcr_mythread();
    if (T < 2) return;
    for (upcr_thread_t first = 0; first < T; ++first) {
        const upcr_thread_t second = (first + 1) % T;
        memset(upcr_shared_to_local(spmd_part(vars, me, 0)), 0, instances * 3 * kSpan);
        struct timespec start;
        size_t i = 0;
        clock_gettime(CLOCK_MONOTONIC, &start);
        spmd_barrier();
        for (; i < instances && (i % kBatch != 0 || !enough(&start)); ++i) {
            const upcr_pshared_ptr_t x = placed(i, 0), y = placed(i, 1);
            const enum way way = (enum way)spmd_below(&dice, kWays);
            /* The next x is in the second thread's cache then, and storing to it takes long. */
            if (me == second && i + 1 < instances) SPMD_EQ(get(placed(i + 1, 0)), 0);
            delay();
            if (me == first || me == second)
                *(uint64_t *)upcr_shared_to_local(spmd_part(vars, me, (3 * i + 2) * kSpan)) =
                    run_role(me == second, way, x, y);
            else
                meet(way);
        }
        spmd_barrier();
        for (size_t k = 0; me == 0 && k < i; ++k) {
            const uint64_t r0 = result(k, first), r1 = result(k, second);
            if (forbidden(r0, r1))
                SPMD_FAIL("%s, threads %u and %u, instance %zu: r = %llu %llu", name, (unsigned)first,
                          (unsigned)second, k, (unsigned long long)r0, (unsigned long long)r1);
        }
        spmd_barrier();
    }
}

static void run(void) {
    const size_t count = spmd_effort(upcr_threads() <= 2 ? 32768 : 1024);
    const upcr_shared_ptr_t v = spmd_alloc(count * 3 * kSpan);
    const upcr_shared_ptr_t b = spmd_alloc((kBallast + 1) * kSpan);
    if (upcri_mypthread() == 0) {
        vars = v;
        ballast = b;
        instances = count;
    }
    spmd_barrier();
    dice = upcr_mythread() + 1;
    order("stored before, read after", passing, any_zero);
    order("read before, stored after", not_yet, any_one);
    order("store buffering across the barrier", across, both_zero);
    order("store buffering across the notify", across_notify, both_zero);
    order("store buffering across the wait", across_wait, both_zero);
}

SPMD_MAIN(run)

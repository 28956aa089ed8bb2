/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks: mutual exclusion, visibility, waiting in a loop, FIFO order, many held at once,
 * attempts, freeing in every state. The queue's order is observed in the first word of a lock, its tail, which
 * changes when a thread has joined the queue. More tests are in locks_turns.c and locks_words.c.
 */
#include "tests/spmd/sync/locks.h"

static __thread upcr_thread_t me, threads;

static upcr_register_value_t word(upcr_shared_ptr_t p, size_t i) { return upcr_get_shared_val(p, i * 8, 8); }
static void set_word(upcr_shared_ptr_t p, size_t i, upcr_register_value_t v) {
    upcr_put_shared_val(p, i * 8, v, 8);
}

/* A cell of thread 0's, `words` long and zero. */
static upcr_shared_ptr_t cell(size_t words) {
    upcr_shared_ptr_t p = upcr_all_alloc(1, words * 8);
    size_t i;
    if (me == 0)
        for (i = 0; i < words; ++i) set_word(p, i, 0);
    spmd_barrier();
    return p;
}

/* Counters that are read, changed and written: if two threads overlap, counts are lost. */
static void mutual_exclusion(unsigned rounds) {
    upcr_shared_ptr_t lock = upcr_all_lock_alloc(), c = cell(3);
    unsigned i;
    for (i = 0; i < rounds; ++i) {
        upcr_register_value_t a, b;
        upcr_lock(lock);
        a = word(c, 0);
        b = word(c, 1);
        SPMD_EQ(a, b);
        set_word(c, 0, a + 1);
        SPMD_EQ(word(c, 2), 0);
        set_word(c, 2, me + 1);
        set_word(c, 1, b + 1);
        SPMD_EQ(word(c, 2), me + 1);
        set_word(c, 2, 0);
        upcr_unlock(lock);
    }
    spmd_barrier();
    SPMD_EQ(word(c, 0), (upcr_register_value_t)rounds * threads);
    upcr_all_lock_free(lock);
    upcr_all_free(c);
}

/* Thread 0 waits in a loop that acquires a lock of its own and tests; the others need that lock to end it. */
static void waiting_by_a_lock(void) {
    upcr_shared_ptr_t lock = upcr_all_lock_alloc(), c = cell(1);
    upcr_register_value_t seen;
    if (me != 0) {
        upcr_lock(lock);
        set_word(c, 0, word(c, 0) + 1);
        upcr_unlock(lock);
    } else {
        do {
            upcr_lock(lock);
            seen = word(c, 0);
            upcr_unlock(lock);
        } while (seen != threads - 1);
    }
    spmd_barrier();
    upcr_all_lock_free(lock);
    upcr_all_free(c);
}

/* Attempts while other threads wait: each must succeed eventually. */
static void attempts(unsigned rounds) {
    upcr_shared_ptr_t lock = upcr_all_lock_alloc(), c = cell(1);
    unsigned i;
    for (i = 0; i < rounds; ++i) {
        upcr_register_value_t a;
        if (me % 2 == 0) {
            while (!upcr_lock_attempt(lock)) continue;
        } else {
            upcr_lock(lock);
        }
        SPMD_EQ(upcr_lock_attempt(lock), 0); /* not recursive */
        a = word(c, 0);
        set_word(c, 0, a + 1);
        upcr_unlock(lock);
    }
    spmd_barrier();
    SPMD_EQ(word(c, 0), (upcr_register_value_t)rounds * threads);
    spmd_barrier();
    upcr_all_lock_free(lock);
    upcr_all_free(c);
}

/* Thread 0 holds the lock and lets the others join the queue one by one, the highest first. */
static void fifo_order(void) {
    enum { GO, COUNT, ORDER };
    upcr_shared_ptr_t lock = upcr_all_lock_alloc(), c = cell(ORDER + threads);
    upcr_thread_t k;
    if (me == 0) {
        upcr_lock(lock);
        for (k = threads - 1; k > 0; --k) {
            const upcr_register_value_t tail = word(lock, 0);
            set_word(c, GO, k);
            while (word(lock, 0) == tail) upcr_poll();
        }
        upcr_unlock(lock);
    } else {
        while (word(c, GO) != me) upcr_poll();
        upcr_lock(lock);
        set_word(c, ORDER + word(c, COUNT), me);
        set_word(c, COUNT, word(c, COUNT) + 1);
        upcr_unlock(lock);
    }
    spmd_barrier();
    SPMD_EQ(word(c, COUNT), threads - 1);
    for (k = 1; k < threads; ++k) SPMD_EQ(word(c, ORDER + k - 1), threads - k);
    spmd_barrier();
    upcr_all_lock_free(lock);
    upcr_all_free(c);
}

/* More locks at once than a thread has queue nodes at the start, on every thread, some of them contended. */
static void many_held(void) {
    enum { OWN = 300, COMMON = 40 };
    static const unsigned stride = 7; /* prime to both */
    upcr_shared_ptr_t *own = malloc(OWN * sizeof *own), common[COMMON];
    unsigned i, round;
    for (i = 0; i < OWN; ++i) own[i] = upcr_global_lock_alloc();
    for (i = 0; i < COMMON; ++i) common[i] = upcr_all_lock_alloc();
    for (round = 0; round < 3; ++round) {
        for (i = 0; i < OWN; ++i) upcr_lock(own[i]);
        for (i = 0; i < COMMON; ++i) upcr_lock(common[i]); /* the same order everywhere */
        for (i = 0; i < OWN; ++i) upcr_unlock(own[(i * stride + round) % OWN]);
        for (i = 0; i < COMMON; ++i) upcr_unlock(common[(i * stride + round) % COMMON]);
    }
    spmd_barrier();
    for (i = 0; i < COMMON; ++i) upcr_all_lock_free(common[i]);
    for (i = 0; i < OWN; ++i) upcr_lock_free(own[i]);
    free(own);
}

static size_t objects(upcr_thread_t thread) {
    struct upcr_heap_info info;
    upcr_heap_info(thread, &info);
    return info.local_objects;
}

/* Locks freed while no thread, their owner or another thread holds them, by the functions for locks and by those
 * for objects (about which the debug library warns); their memory is really freed. */
static void free_in_every_state(void) {
    enum { ROUNDS = 200 }; /* more than there are queue nodes */
    upcr_shared_ptr_t c = cell(2), lock;
    const upcr_thread_t other = threads - 1;
    size_t before;
    unsigned i;
    for (i = 0; i < ROUNDS; ++i) { /* no thread; the owner */
        lock = upcr_global_lock_alloc();
        if (i % 2 != 0) upcr_lock(lock);
        upcr_lock_free(lock);
    }
    spmd_barrier();
    before = objects(0);
    spmd_barrier();
    for (i = 0; i < ROUNDS; ++i) { /* held by `other`, freed by thread 0 */
        lock = upcr_all_lock_alloc();
        if (me == other) {
            upcr_lock(lock);
            SPMD_EQ(upcr_lock_attempt(lock), 0);
        }
        spmd_barrier();
        if (me == 0) i % 2 != 0 && !UPCR_DEBUG ? upcr_free(lock) : upcr_lock_free(lock);
        spmd_barrier();
        /* Very likely the same memory: all threads, `other` too, find a lock that no thread holds. */
        lock = upcr_all_lock_alloc();
        upcr_lock(lock);
        set_word(c, 0, word(c, 0) + 1);
        upcr_unlock(lock);
        spmd_barrier();
        SPMD_EQ(word(c, 0), (upcr_register_value_t)(i + 1) * threads);
        i % 2 != 0 && !UPCR_DEBUG ? upcr_all_free(lock) : upcr_all_lock_free(lock);
    }
    spmd_barrier();
    SPMD_EQ(objects(0), before);
    spmd_barrier();
    upcr_all_free(c);
}

static void run(void) {
    const unsigned rounds = (unsigned)spmd_effort(1000);
    me = upcr_mythread();
    threads = upcr_threads();
    mutual_exclusion(rounds);
    waiting_by_a_lock();
    attempts(rounds / 4);
    fifo_order();
    many_held();
    free_in_every_state();
    locks_turns();
    locks_words();
}

SPMD_MAIN(run)

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of locks (upcr/gmem_lock.h): the accesses of 4 and 8 bytes, and the queue. One thread holds the
 * lock; the others (five of six) try to acquire it one after the other: each starts when the lock's last link
 * is its predecessor's. So the order of arrival is certain, the links show it, and the grants must be in that
 * order.
 */
#include "tests/spmd/spmd.h"
#include <upcr/gmem_lock.h>

enum { MOST = 5, LAST = offsetof(upcr_lock_t, last), OWNER = offsetof(upcr_lock_t, owner_link) };
enum { NEXT = offsetof(upcr_lock_link_t, next), SIGNAL = offsetof(upcr_lock_link_t, signal) };

static __thread upcr_thread_t me, threads;
static __thread unsigned contenders; /* 1 to this */

static uint64_t word(upcr_shared_ptr_t p, size_t at) {
    return upcr_get_shared_val_strict(p, (ptrdiff_t)at, 8);
}

/* Is this the value? Compares by writing the value that it finds, so that debug builds allow it for links. */
static int holds(upcr_shared_ptr_t p, size_t at, uint64_t value) {
    return upcr_lock_cswap(spmd_part(p, upcr_threadof_shared(p), at), &value, &value, 8);
}

/* Increments by compare-and-swap, and a token that threads swap for their own: none is lost or doubled. */
static void atomic_words(int size) {
    upcr_shared_ptr_t p = spmd_alloc(64), word0 = spmd_part(p, threads - 1, 8),
                      token = spmd_part(p, threads - 1, 16);
    const unsigned rounds = (unsigned)spmd_effort(200);
    const uint64_t guard = UINT64_C(0x1122334455667788);
    uint64_t sum = 0, mine, old = 0;
    unsigned i;
    spmd_barrier();
    if (me == 0) {
        upcr_put_shared_val(p, 0, 0, 8);
        upcr_put_shared_val(spmd_part(p, threads - 1, 24), 0, guard, 8);
        old = size == 4 ? guard & ~(uint64_t)0xffffffff : 0;
        upcr_put_shared_val(word0, 0, old, 8);
        upcr_put_shared_val(token, 0, old, 8);
    }
    spmd_barrier();
    for (i = 0; i < rounds; ++i) {
        uint64_t seen = 0, next;
        for (;;) {
            next = seen + 1;
            if (upcr_lock_cswap(word0, &seen, &next, size)) break;
            seen = 0;
            upcr_get_shared(&seen, word0, 0, (size_t)size);
        }
        mine = (uint64_t)me * rounds + i + 1;
        sum += mine;
        old = 0;
        upcr_lock_swap(token, &mine, &old, size);
        sum -= old;
    }
    /* All tokens are accounted for, with the one that is still there. */
    mine = 0;
    old = upcr_get_shared_val(word0, 0, 8);
    spmd_barrier();
    for (;;) {
        uint64_t total = 0, next;
        upcr_get_shared(&total, p, 0, 8);
        next = total + sum;
        if (upcr_lock_cswap(p, &total, &next, 8)) break;
    }
    spmd_barrier();
    SPMD_EQ(upcr_get_shared_val(word0, 0, (size_t)size), (uint64_t)rounds * threads);
    SPMD_EQ(upcr_get_shared_val(token, 0, (size_t)size), upcr_get_shared_val(p, 0, 8));
    SPMD_EQ(upcr_get_shared_val(spmd_part(p, threads - 1, 24), 0, 8), guard);
    if (size == 4) { /* the other half of the word must not change */
        SPMD_EQ(upcr_get_shared_val(word0, 4, 4), guard >> 32);
        SPMD_EQ(upcr_get_shared_val(token, 4, 4), guard >> 32);
    }
    mine = 0; /* a comparison that fails changes nothing and returns 0 */
    spmd_barrier();
    old = 77;
    SPMD_EQ(upcr_lock_cswap(word0, &mine, &old, size), 0);
    spmd_barrier();
    SPMD_EQ(upcr_get_shared_val(word0, 0, (size_t)size), (uint64_t)rounds * threads);
    spmd_barrier();
    upcr_all_free(p);
}

/* A word that is put arrives after earlier writes, on a thread that waits for it. */
static void signals(int size) {
    upcr_shared_ptr_t p = spmd_alloc(64);
    const upcr_thread_t right = (me + 1) % threads;
    const unsigned rounds = (unsigned)spmd_effort(100);
    const uint64_t pattern = size == 4 ? 0x01010101 : UINT64_C(0x0101010101010101);
    unsigned i;
    for (i = 1; i <= rounds; ++i) {
        uint64_t signal = i * pattern;
        upcr_put_shared_val(spmd_part(p, right, 8), 0, i * 3, 8);
        upcr_lock_put(spmd_part(p, right, 0), &signal, size);
        while (upcr_get_shared_val_strict(spmd_part(p, me, 0), 0, (size_t)size) != i * pattern) upcr_poll();
        SPMD_CHECK(upcr_get_shared_val(spmd_part(p, me, 8), 0, 8) >= i * 3);
        spmd_barrier();
    }
    SPMD_EQ(upcr_get_shared_val(spmd_part(p, me, 0), 0, 8), rounds * pattern);
    spmd_barrier();
    upcr_all_free(p);
}

enum { GO = 0, COUNT = 8, ORDER = 16 };

/* Thread 0 holds `lock`. The others arrive in the order of who[]. */
static void join_queue_in_order(upcr_shared_ptr_t lock, upcr_shared_ptr_t board, const upcr_thread_t *who) {
    upcr_lock_ref_t link[MOST + 1];
    unsigned i;
    link[0] = word(lock, LAST);
    SPMD_EQ(upcr_threadof_shared(upcr_lock_ref_to_shared(link[0])), 0);
    SPMD_EQ(word(lock, OWNER), UPCR_DEBUG ? link[0] : 0);
    for (i = 0; i < contenders; ++i) {
        upcr_put_shared_val_strict(board, GO, who[i], 8);
        while ((link[i + 1] = word(lock, LAST)) == link[i]) upcr_poll();
        SPMD_EQ(upcr_threadof_shared(upcr_lock_ref_to_shared(link[i + 1])), who[i]);
    }
    for (i = 0; i <= contenders; ++i) {
        const upcr_shared_ptr_t l = upcr_lock_ref_to_shared(link[i]);
        if (i < contenders)
            while (holds(l, NEXT, 0)) upcr_poll(); /* the link follows the arrival */
        SPMD_CHECK(holds(l, NEXT, i < contenders ? link[i + 1] : 0));
        SPMD_CHECK(holds(l, SIGNAL, i == 0 ? UPCR_LOCK_SIGNAL : UPCR_LOCK_NO_SIGNAL));
    }
}

static void contend(upcr_shared_ptr_t lock, upcr_shared_ptr_t board) {
    uint64_t n;
    while (word(board, GO) != me) upcr_poll();
    upcr_lock(lock);
    n = word(board, COUNT);
    upcr_put_shared_val(board, (ptrdiff_t)(ORDER + 8 * n), me, 8);
    upcr_put_shared_val(board, COUNT, n + 1, 8);
    upcr_unlock(lock);
}

static void fifo_order(const upcr_thread_t *who) {
    upcr_shared_ptr_t lock = upcr_all_lock_alloc(), board = spmd_alloc(ORDER + 8 * MOST);
    unsigned i;
    if (me == 0) {
        upcr_lock(lock);
        join_queue_in_order(lock, board, who);
        SPMD_EQ(word(board, COUNT), 0);
        upcr_unlock(lock);
    } else if (me <= contenders) {
        contend(lock, board);
    }
    spmd_barrier();
    SPMD_EQ(word(board, COUNT), contenders);
    for (i = 0; i < contenders; ++i) SPMD_EQ(word(board, ORDER + 8 * i), who[i]);
    SPMD_EQ(word(lock, LAST), 0);
    SPMD_EQ(word(lock, OWNER), 0);
    spmd_barrier();
    upcr_all_lock_free(lock);
    upcr_all_free(board);
}

static void run(void) {
    upcr_thread_t forth[MOST], back[MOST], odd_first[MOST];
    unsigned i;
    me = upcr_mythread();
    threads = upcr_threads();
    contenders = threads - 1 < MOST ? threads - 1 : MOST;
    for (i = 0; i < contenders; ++i) {
        forth[i] = i + 1;
        back[contenders - 1 - i] = i + 1;
        odd_first[i % 2 == 0 ? i / 2 : (contenders + i) / 2] = i + 1;
    }
    atomic_words(4);
    atomic_words(8);
    signals(4);
    signals(8);
    fifo_order(forth);
    fifo_order(back);
    fifo_order(odd_first);
}

SPMD_MAIN(run)

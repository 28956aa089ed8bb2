/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks as compiled programs see them. Mutual exclusion is of relaxed accesses, which unlock has to complete
 * and lock must not overtake. The order of grants is seen at a lock that one thread holds while the others
 * (five of six) come one after the other: the next is let loose when the first word of the lock, which names
 * the last link of its queue, shows that the thread before has queued.
 */
#include "tests/gupc/library/heaplock.h"

#include <sched.h>

#include "upcr/gmem_lock.h"

EMIT_PROGRAM_INFO;

SHARED(unsigned long, counters, 2);
SHARED(int, turn, 1);
SHARED(int, grants, 65);
SHARED(upc_shared_ptr_t, made, 1);

static upc_shared_ptr_t counter(int i) { return emit_at(&counters[i], THREADS - 1); }

static void increment(int i) { __putdi2(counter(i), __getdi2(counter(i)) + 1); }

static void mutual_exclusion(upc_shared_ptr_t lock, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        if (i % 4 == 0)
            while (!upc_lock_attempt(lock)) sched_yield();
        else if (i % 4 == 1)
            while (!upc_lock_attemptg(lock, HERE)) sched_yield();
        else if (i % 4 == 2)
            upc_lock(lock);
        else
            upc_lockg(lock, HERE);
        CHECK(__getdi2(counter(0)) == __getdi2(counter(1)));
        increment(0);
        increment(1);
        CHECK(upc_lock_attempt(lock) == 0);
        if (i % 2)
            upc_unlock(lock);
        else
            upc_unlockg(lock, HERE);
    }
    barrier_all();
    CHECK(__getdi2(counter(0)) == (unsigned long)rounds * THREADS);
    CHECK(__getdi2(counter(1)) == (unsigned long)rounds * THREADS);
    barrier_all();
    if (MYTHREAD == 0) {
        __putdi2(counter(0), 0);
        __putdi2(counter(1), 0);
    }
    barrier_all();
}

static int last_of(upc_shared_ptr_t lock) {
    const upcr_lock_ref_t last = __getsdi2(lock);
    return last == 0 ? -1 : (int)(last >> 40);
}

enum order { LOWEST_FIRST, HIGHEST_FIRST, ODD_FIRST };
/* Thread number i in the queue, from 1 on. */
static int arrival(enum order order, int i) {
    if (order == LOWEST_FIRST) return i;
    if (order == HIGHEST_FIRST) return THREADS - i;
    return i <= THREADS / 2 ? 2 * i - 1 : 2 * (i - THREADS / 2);
}

static void fifo_order(upc_shared_ptr_t lock, enum order order) {
    const upc_shared_ptr_t count = emit_at(grants, 0);
    if (MYTHREAD == 0) {
        __putssi2(count, 0);
        __putssi2(emit_at(turn, 0), 0);
    }
    barrier_all();
    if (MYTHREAD == 0) {
        upc_lock(lock);
        CHECK(last_of(lock) == 0);
        for (int i = 1; i < THREADS; ++i) {
            __putssi2(emit_at(turn, 0), (unsigned)arrival(order, i));
            while (last_of(lock) != arrival(order, i)) sched_yield();
        }
        CHECK(__getssi2(count) == 0);
        upc_unlock(lock);
    } else {
        while (__getssi2(emit_at(turn, 0)) != (unsigned)MYTHREAD) sched_yield();
        upc_lock(lock);
        const unsigned n = __getsi2(count) + 1;
        __putsi2(emit_at(&grants[n], 0), (unsigned)MYTHREAD);
        __putsi2(count, n);
        upc_unlock(lock);
    }
    barrier_all();
    CHECK(__getsi2(count) == (unsigned)THREADS - 1);
    for (int i = 1; i < THREADS; ++i) CHECK(__getsi2(emit_at(&grants[i], 0)) == (unsigned)arrival(order, i));
    CHECK(last_of(lock) == -1);
    barrier_all();
}

/* Each thread makes locks of its own; its neighbour uses and frees them, held or not. */
static void free_in_every_state(void) {
    for (int round = 0; round < 12; ++round) {
        const upc_shared_ptr_t mine = round % 3 == 0   ? upc_global_lock_alloc()
                                      : round % 3 == 1 ? upc_lock_alloc()
                                                       : upc_global_lock_allocg(HERE);
        CHECK(gupc_thread(mine) == (upcr_thread_t)MYTHREAD);
        __putsblk3(emit_at(made, MYTHREAD), (void *)&mine, sizeof mine);
        barrier_all();
        upc_shared_ptr_t other;
        __getsblk3(&other, emit_at(made, (MYTHREAD + 1) % THREADS), sizeof other);
        CHECK(upc_lock_attempt(other) == 1);
        if (round % 4 < 2) upc_unlock(other);
        if (round % 2)
            upc_lock_free(other);
        else
            upc_lock_freeg(other, HERE);
        barrier_all();
    }
    upc_lock_free(gupc_null());
    upc_lock_freeg(gupc_null(), HERE);
    upc_all_lock_free(gupc_null());
    upc_all_lock_freeg(gupc_null(), HERE);
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 100;
    const upc_shared_ptr_t lock = upc_all_lock_alloc(), other = upc_all_lock_allocg(HERE);
    CHECK(gupc_thread(lock) == 0 && !emit_equal(lock, other));
    mutual_exclusion(lock, rounds);
    mutual_exclusion(other, rounds / 4);
    fifo_order(lock, LOWEST_FIRST);
    fifo_order(other, HIGHEST_FIRST);
    fifo_order(lock, ODD_FIRST);
    free_in_every_state();
    upc_all_lock_free(lock);
    upc_all_lock_freeg(other, HERE);
    return emit_failures;
}

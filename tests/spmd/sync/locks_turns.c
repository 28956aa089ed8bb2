/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads take turns by a lock. Each reads, by relaxed accesses of every kind, in the memory of two other
 * threads, exactly the data of the previous holder; and its successor in the queue is the next holder. Then
 * they hold several of many locks at once and release them in another order.
 */
#include <upcr/gmem_lock.h>

#include "tests/spmd/sync/locks.h"

static __thread upcr_thread_t me, threads;
static __thread uint64_t state; /* of spmd_random */

/* How the lock is acquired: by upcr_lock with a hand-over each time, since its holder waits for a successor; by
 * attempts only, without any hand-over; by either. */
typedef enum { kHandedOver, kAttempted, kMixed } manner_t;

/* The data of a holder. In the memory of one thread: the number of turns before, the link of the next holder
 * (0 if that was not known), a body. Of another: two words, and a word of each thread. */
enum { kBody = 100, kTurns = 0, kNext = 8, kFirst = 16, kNear = kFirst + 8 * kBody };
enum { kPut = 0, kPutLater = 8, kOwn = 16 };

/* The calling thread's own link, which is in a page that belongs to the runtime. */
static uint64_t next_in(upcr_shared_ptr_t own_memory, upcr_lock_ref_t link) {
    char *const base = (char *)upcr_shared_to_local(own_memory) - upcr_addrfield_shared(own_memory);
    const size_t at = upcr_addrfield_shared(upcr_lock_ref_to_shared(link)) + offsetof(upcr_lock_link_t, next);
    return __atomic_load_n((uint64_t *)(void *)(base + at), __ATOMIC_ACQUIRE);
}

static uint64_t word(upcr_shared_ptr_t p, size_t at) { return upcr_get_shared_val(p, (ptrdiff_t)at, 8); }
static void set_word(upcr_shared_ptr_t p, size_t at, uint64_t v) {
    upcr_put_shared_val(p, (ptrdiff_t)at, v, 8);
}

static void take_turns(upcr_thread_t home, manner_t manner, unsigned rounds) {
    const upcr_shared_ptr_t lock = lock_of(home), parts = spmd_alloc(kNear + kOwn + 8 * threads);
    const upcr_shared_ptr_t near = spmd_part(parts, (home + 1) % threads, 0);
    const upcr_shared_ptr_t far = spmd_part(parts, (home + 2) % threads, kNear);
    const uint64_t all = (uint64_t)rounds * threads;
    uint64_t body[kBody];
    unsigned i, k;
    if (me == 0) {
        upcr_lock(lock);
        set_word(near, kNext, word(lock, offsetof(upcr_lock_t, last)));
    }
    spmd_barrier();
    for (i = 0; i < rounds; ++i) {
        uint64_t turn, link, next = 0;
        if (i != 0 || me != 0) {
            if (manner == kAttempted || (manner == kMixed && spmd_random(&state) % 2 == 0))
                while (!upcr_lock_attempt(lock)) continue;
            else
                upcr_lock(lock);
        }
        /* The data of the previous holder. */
        turn = word(near, kTurns);
        upcr_memget(body, spmd_part(near, upcr_threadof_shared(near), kFirst), sizeof body);
        for (k = 0; k < kBody; ++k) SPMD_EQ(body[k], turn == 0 ? 0 : turn + k);
        SPMD_EQ(word(far, kPut), turn);
        SPMD_EQ(word(far, kPutLater), turn);
        /* A put that was in flight while this thread released the lock and acquired it again. */
        upcr_wait_syncnbi_puts();
        SPMD_EQ(word(far, kOwn + 8 * me), i);
        link = word(near, kNext);
        if (manner == kHandedOver && link != 0)
            SPMD_EQ(upcr_threadof_shared(upcr_lock_ref_to_shared(link)), me);

        /* The data for the next holder; the last of it is written when a thread waits. */
        set_word(far, kPut, 0);
        upcr_put_nbi_shared_val(far, kPutLater, turn + 1, 8);
        for (k = 0; k < kBody; ++k) body[k] = turn + 1 + k;
        if (manner == kHandedOver && all - turn > rounds - i) /* not all remaining turns are this thread's */
            while ((next = next_in(spmd_part(parts, me, 0), link)) == 0) upcr_poll();
        set_word(near, kTurns, turn + 1);
        set_word(near, kNext, next);
        upcr_wait_syncnbi_puts();
        upcr_put_nbi_shared_val(far, kOwn + 8 * (ptrdiff_t)me, i + 1, 8);
        upcr_memput(spmd_part(near, upcr_threadof_shared(near), kFirst), body, sizeof body);
        set_word(far, kPut, turn + 1);
        upcr_unlock(lock);
    }
    upcr_wait_syncnbi_puts();
    spmd_barrier();
    SPMD_EQ(word(near, kTurns), all);
    SPMD_EQ(word(far, kOwn + 8 * me), rounds);
    SPMD_EQ(word(lock, offsetof(upcr_lock_t, last)), 0);
    spmd_barrier();
    upcr_all_lock_free(lock);
    upcr_all_free(parts);
}

/* Any of kLocks at once, which is more than a thread's cache of nodes holds, and always some of its own. Counters
 * that are read and written show whether two threads ever held the same lock. */
static void hold_many(unsigned rounds) {
    enum { kLocks = 40, kOwnLocks = 12, kWords = kLocks + 1 };
    const upcr_shared_ptr_t counters = spmd_alloc(8 * kWords), mine = spmd_part(counters, me, 0);
    upcr_shared_ptr_t locks[kLocks], own[kOwnLocks];
    uint64_t counts[kLocks] = {0};
    unsigned i, n, round;
    for (i = 0; i < kLocks; ++i) locks[i] = upcr_all_lock_alloc();
    for (i = 0; i < kOwnLocks; ++i) own[i] = upcr_global_lock_alloc();
    for (round = 0; round < rounds; ++round) {
        unsigned held[kLocks];
        char is_held[kLocks] = {0};
        for (n = 0, i = 0; i < kOwnLocks; ++i) upcr_lock(own[i]);
        for (i = 0; i < kLocks; ++i) { /* waiting is safe in one order only */
            if (spmd_random(&state) % 4 != 0) continue;
            upcr_lock(locks[i]);
            is_held[held[n++] = i] = 1;
        }
        for (i = 0; i < 8; ++i) { /* attempts may come in any order */
            const unsigned k = (unsigned)spmd_below(&state, kLocks);
            if (!upcr_lock_attempt(locks[k])) continue;
            SPMD_EQ(is_held[k], 0);
            is_held[held[n++] = k] = 1;
        }
        for (i = 0; i < kOwnLocks; i += 1 + round % 3) SPMD_EQ(upcr_lock_attempt(own[i]), 0);
        for (i = 0; i < kOwnLocks; ++i) upcr_unlock(own[(i * 5 + round) % kOwnLocks]);
        for (; n > 0; --n) {
            const unsigned which = (unsigned)spmd_below(&state, n), k = held[which];
            const upcr_shared_ptr_t counter = spmd_part(counters, k % threads, 8 * k);
            held[which] = held[n - 1];
            set_word(counter, 0, word(counter, 0) + 1);
            ++counts[k];
            upcr_unlock(locks[k]);
        }
    }
    spmd_barrier();
    for (i = 0; i < kLocks; ++i) { /* this thread's counts are subtracted */
        const upcr_shared_ptr_t counter = spmd_part(counters, i % threads, 8 * i);
        upcr_lock(locks[i]);
        set_word(counter, 0, word(counter, 0) - counts[i]);
        upcr_unlock(locks[i]);
    }
    spmd_barrier();
    for (i = 0; i < kLocks; ++i)
        if (i % threads == me) SPMD_EQ(word(mine, 8 * i), 0);
    spmd_barrier();
    for (i = 0; i < kLocks; ++i) upcr_all_lock_free(locks[i]);
    for (i = 0; i < kOwnLocks; ++i) upcr_lock_free(own[i]);
    upcr_all_free(counters);
}

void locks_turns(void) {
    unsigned rounds;
    manner_t manner;
    me = upcr_mythread();
    threads = upcr_threads();
    rounds = (unsigned)spmd_effort(160) / threads;
    if (rounds < 3) rounds = 3;
    state = 1 + me;
    for (manner = kHandedOver; manner <= kMixed; ++manner) {
        take_turns(0, manner, rounds);
        if (threads > 1) take_turns(threads - 1, manner, rounds);
    }
    hold_many(rounds);
}

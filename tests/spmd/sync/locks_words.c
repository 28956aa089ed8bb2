/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two tests that need access to the words of a lock (upcr/gmem_lock.h), or good luck.
 *
 * Fences. Two threads each write a variable, use a lock of their own and read the other's variable: that both
 * read the old value is forbidden. No other thread uses the locks; to cause a hand-over, the holder inserts a
 * link into the queue behind itself that belongs to no thread.
 *
 * Freeing. The memory of a lock that its holder does not release is allocated to the next lock while the thread
 * that freed it is still in the call.
 */
#include <upcr/gmem_lock.h>

#include "tests/spmd/sync/locks.h"

static __thread upcr_thread_t me, threads;

static uint64_t strict_word(upcr_shared_ptr_t p, size_t at) {
    return upcr_get_shared_val_strict(p, (ptrdiff_t)at, 8);
}
static void set_strict(upcr_shared_ptr_t p, size_t at, uint64_t v) {
    upcr_put_shared_val_strict(p, (ptrdiff_t)at, v, 8);
}

/* ---- fences --------------------------------------------------------------------------------------------- */

typedef enum { kAcquire, kAttempt, kRelease, kHandOver, kFences } fence_t;
static const char *const fence_names[] = {"upcr_lock", "upcr_lock_attempt", "upcr_unlock",
                                          "upcr_unlock with a successor"};

/* The calling thread holds `lock`, and no thread waits for it. Now `link` waits for it. */
static void join_queue(upcr_shared_ptr_t lock, upcr_shared_ptr_t link) {
    upcr_lock_ref_t ref = ((uint64_t)upcr_threadof_shared(link) << 40) | upcr_addrfield_shared(link), before;
    upcr_lock_link_t fresh = {0, UPCR_LOCK_NO_SIGNAL};
    upcr_memput(link, &fresh, sizeof fresh);
    upcr_lock_swap(lock, &ref, &before, 8);
    upcr_lock_put(upcr_lock_ref_to_shared(before), &ref, 8);
}
/* It has been granted the lock, and leaves the queue. */
static void leave_queue(upcr_shared_ptr_t lock, upcr_shared_ptr_t link) {
    upcr_lock_ref_t none = 0, ref;
    SPMD_EQ(strict_word(link, offsetof(upcr_lock_link_t, signal)), UPCR_LOCK_SIGNAL);
    upcr_lock_swap(lock, &none, &ref, 8);
    SPMD_CHECK(upcr_isequal_shared_shared(upcr_lock_ref_to_shared(ref), link));
}

/* Threads 0 and 1. A variable is in the memory of its reader, which reads it from its cache while its writer
 * must fetch it first. */
static void fences(fence_t what, unsigned instances) {
    enum { kSpan = 64, kMeet = 0, kLink = 64, kVariables = 128 };
    const upcr_shared_ptr_t parts = spmd_alloc(kVariables + kSpan * instances),
                            lock = upcr_global_lock_alloc();
    const upcr_shared_ptr_t mine = spmd_part(parts, me, 0), other = spmd_part(parts, 1 - me, 0);
    const upcr_shared_ptr_t link = spmd_part(parts, me, kLink);
    uint64_t *const seen = calloc(instances, 8), *const of_other = calloc(instances, 8);
    unsigned i;
    for (i = 0; i < instances; ++i) {
        const ptrdiff_t at = kVariables + kSpan * (ptrdiff_t)i;
        if (what == kRelease || what == kHandOver) upcr_lock(lock);
        if (what == kHandOver) join_queue(lock, link);
        set_strict(other, kMeet, i + 1);
        while (strict_word(mine, kMeet) < i + 1) continue;
        upcr_put_shared_val(other, at, 1, 8);
        if (what == kAcquire)
            upcr_lock(lock);
        else if (what == kAttempt)
            (void)upcr_lock_attempt(lock);
        else
            upcr_unlock(lock);
        seen[i] = upcr_get_shared_val(mine, at, 8);
        if (what == kAcquire || what == kAttempt) upcr_unlock(lock);
        if (what == kHandOver) leave_queue(lock, link);
    }
    /* To thread 0, through the variables, which are not used any more. */
    set_strict(other, kMeet, instances + 1);
    while (strict_word(mine, kMeet) < instances + 1) continue;
    upcr_memput(spmd_part(parts, 1 - me, kVariables), seen, 8 * instances);
    set_strict(other, kMeet, instances + 2);
    while (strict_word(mine, kMeet) < instances + 2) continue;
    upcr_memget(of_other, spmd_part(parts, me, kVariables), 8 * instances);
    for (i = 0; i < instances; ++i)
        if (seen[i] == 0 && of_other[i] == 0) SPMD_FAIL("%s is no fence (instance %u)", fence_names[what], i);
    upcr_lock_free(lock);
    upcr_all_free(parts);
    free(seen), free(of_other);
}

/* ---- freeing -------------------------------------------------------------------------------------------- */

static void put_pointer(upcr_shared_ptr_t cell, upcr_shared_ptr_t p, uint64_t round) {
    upcr_memput(spmd_part(cell, upcr_threadof_shared(cell), 8), &p, sizeof p);
    set_strict(cell, 0, round);
}
static upcr_shared_ptr_t wait_for_pointer(upcr_shared_ptr_t cell, uint64_t round) {
    upcr_shared_ptr_t p;
    while (strict_word(cell, 0) != round) upcr_poll();
    upcr_memget(&p, spmd_part(cell, me, 8), sizeof p);
    return p;
}

/* Thread 0 frees a lock that the last thread holds. Its home allocates locks until one has the same memory, and
 * passes it to the last thread, which then holds no lock: it must acquire this one. Holes are filled at first,
 * so that free memory is either that memory or behind all locks. */
static void freed_lock_comes_again(upcr_thread_t home, unsigned rounds) {
    enum { kFillers = 64 };
    const upcr_thread_t holder = threads - 1;
    const upcr_shared_ptr_t cells = spmd_alloc(64);
    upcr_shared_ptr_t fillers[kFillers], lock, again = upcr_null_shared;
    unsigned i, round;
    if (me == home)
        for (i = 0; i < kFillers; ++i) fillers[i] = upcr_global_lock_alloc();
    spmd_barrier();
    for (round = 1; round <= rounds; ++round) {
        const unsigned which = kFillers / 4 + round % (kFillers / 2);
        if (me == home) put_pointer(spmd_part(cells, holder, 0), fillers[which], 2 * round);
        if (me == holder) {
            lock = wait_for_pointer(spmd_part(cells, holder, 0), 2 * round);
            upcr_lock(lock);
            put_pointer(spmd_part(cells, 0, 0), lock, 2 * round);
        }
        if (me == 0) upcr_lock_free(wait_for_pointer(spmd_part(cells, 0, 0), 2 * round));
        if (me == home) {
            while (again = upcr_global_lock_alloc(), !upcr_isequal_shared_shared(again, fillers[which])) {
                upcr_lock_free(again);
                upcr_poll();
            }
            put_pointer(spmd_part(cells, holder, 0), again, 2 * round + 1);
        }
        if (me == holder) {
            again = wait_for_pointer(spmd_part(cells, holder, 0), 2 * round + 1);
            upcr_lock(again);
            upcr_unlock(again);
        }
        spmd_barrier();
    }
    if (me == home)
        for (i = 0; i < kFillers; ++i) upcr_lock_free(fillers[i]);
    upcr_all_free(cells);
}

void locks_words(void) {
    fence_t what;
    me = upcr_mythread();
    threads = upcr_threads();
    if (threads == 1) return;
    if (threads == 2)
        for (what = kAcquire; what < kFences; ++what) fences(what, (unsigned)spmd_effort(1000));
    freed_lock_comes_again(1, (unsigned)spmd_effort(50));
    if (threads > 2) freed_lock_comes_again(threads - 1, (unsigned)spmd_effort(50));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Acquiring and releasing, in line, a lock that no other thread wants, that is mapped here and that the calling
 * thread used before. Nothing here is for users.
 *
 * Each thread has a direct-mapped cache of locks, with the address of the lock's first word and the thread's
 * link for it (upcr_lock_link_t) in one line. So the fast path is one comparison and one locked instruction,
 * which is a full fence too: x86 waits at it for all that is before it, so that each load less counts. The cache
 * is thread-local; only the library changes which lock an entry has.
 */
#pragma once
#include "upcr/access_rep.h"

UPCRI_BEGIN_C

/* States of an entry, in the low bits of the lock's key: locks are aligned to 64 bytes. An entry of only zeros
 * has no lock, so that no pointer finds one, also on a thread that is not a UPC thread. */
#define UPCRI_LOCK_CONTENDED 0u /* it does not hold the lock, and passed it on to another thread before */
#define UPCRI_LOCK_IDLE 1u   /* the thread does not hold the lock; its link is as an acquisition expects it */
#define UPCRI_LOCK_HELD 2u   /* it holds it, and acquired it without contention */
#define UPCRI_LOCK_QUEUED 3u /* it holds it or waits for it, otherwise: the library releases it */

struct upcri_lock_entry {
    uint64_t lock;  /* key of a lock + state */
    uint64_t *last; /* the lock's first word: upcr_lock_t */
    uint64_t link;  /* reference to the thread's link of this entry: upcr_lock_ref_t */
    void *node;     /* the link's address here */
};
#define UPCRI_LOCK_ENTRY_BITS 4
extern UPCRI_API UPCRI_THREAD_LOCAL struct upcri_lock_entry upcri_lock_entries[1 << UPCRI_LOCK_ENTRY_BITS]
    __attribute__((tls_model("initial-exec"), aligned(64)));

/* Everything else: any lock in any state. */
UPCRI_API void upcri_lock_far(upcr_shared_ptr_t lockptr) UPCRI_COLD;
UPCRI_API void upcri_unlock_far(upcr_shared_ptr_t lockptr) UPCRI_COLD;
/* The rest of acquiring a lock whose last link was `before`, which is not null, and is this thread's now; of
 * releasing a lock whose last link is `found` and not this thread's. */
UPCRI_API void upcri_lock_behind(upcr_shared_ptr_t lockptr, uint64_t before) UPCRI_COLD;
UPCRI_API void upcri_unlock_before(upcr_shared_ptr_t lockptr, uint64_t found) UPCRI_COLD;

/* The key of a lock, for a pointer without a phase. */
UPCRI_STATIC uint64_t upcri_lock_key(upcr_shared_ptr_t lockptr) {
#ifdef UPCRI_POINTER_packed
    return lockptr;
#else
    return (uint64_t)lockptr.s_thread << 40 | lockptr.s_addr;
#endif
}
/* Multiplicative hashing. */
UPCRI_STATIC size_t upcri_lock_index(uint64_t key) {
    return (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - UPCRI_LOCK_ENTRY_BITS));
}

/* Follows an atomic operation that is to be a full fence; on x86 it is one. */
UPCRI_STATIC void upcri_fence_after_atomic(void) {
#if !defined(__x86_64__) && !defined(__i386__)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* 0: not done. */
UPCRI_STATIC int upcri_lock_here(upcr_shared_ptr_t lockptr) {
    const uint64_t key = upcri_lock_key(lockptr);
    struct upcri_lock_entry *const entry = &upcri_lock_entries[upcri_lock_index(key)];
    uint64_t before;
    if (UPCRI_UNLIKELY(entry->lock != key + UPCRI_LOCK_IDLE)) return 0;
    entry->lock = key + UPCRI_LOCK_HELD;
    before = __atomic_exchange_n(entry->last, entry->link, __ATOMIC_SEQ_CST);
    upcri_fence_after_atomic();
    if (UPCRI_UNLIKELY(before != 0)) upcri_lock_behind(lockptr, before);
    return 1;
}
UPCRI_STATIC int upcri_unlock_here(upcr_shared_ptr_t lockptr) {
    const uint64_t key = upcri_lock_key(lockptr);
    struct upcri_lock_entry *const entry = &upcri_lock_entries[upcri_lock_index(key)];
    uint64_t found;
    if (UPCRI_UNLIKELY(entry->lock != key + UPCRI_LOCK_HELD)) return 0;
    found = entry->link;
    if (UPCRI_UNLIKELY(
            !__atomic_compare_exchange_n(entry->last, &found, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))) {
        upcri_unlock_before(lockptr, found);
        return 1;
    }
    upcri_fence_after_atomic();
    entry->lock = key + UPCRI_LOCK_IDLE;
    /* A program may wait in a loop that acquires a lock and tests: threads that reach the lock by a network get
     * it only if this thread serves their messages while it is free. */
    if (UPCRI_UNLIKELY(upcri_window.strict_polls)) upcri_strict_poll();
    return 1;
}

/* upcr_lock() and upcr_unlock() are in line; not in debug builds, whose library checks each call. */
#if UPCR_DEBUG || defined(UPCRI_DEFINE_LOCKS)
#define UPCRI_INLINE_LOCKS 0
#else
#define UPCRI_INLINE_LOCKS 1
#endif

UPCRI_END_C

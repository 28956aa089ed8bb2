/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The representation of a lock (lock.h) in shared memory, and the accesses to such queues, as in "UPC Runtime
 * Design Utilizing Portals-4" (chapters 10 and 11, section 15.3.1).
 *
 * A lock is a queue of links (MCS lock: Mellor-Crummey, Scott 1991). `last` names the link of the last thread
 * in the queue; the link is in that thread's segment. To acquire it a thread swaps its own link into `last`,
 * writes its reference into the predecessor's `next` and waits until its own `signal` is set; to release it,
 * it sets its successor's. A program may read these words, for example to find waiting threads; only
 * upcr_lock() and its family write them. Links are in the second page of a segment, where the debug library
 * admits the accesses below only.
 */
#pragma once
#include "upcr/sptr.h"

UPCRI_BEGIN_C

/* Values of a link's signal. */
#define UPCR_LOCK_NO_SIGNAL 0 /* its thread waits */
#define UPCR_LOCK_SIGNAL 1    /* its thread has the lock */

/* A pointer-to-shared in one word, whatever the layout, so that one atomic access changes it: the thread's
 * number above 40 bits of offset. 0: null. */
typedef uint64_t upcr_lock_ref_t;
UPCRI_STATIC upcr_shared_ptr_t upcr_lock_ref_to_shared(upcr_lock_ref_t ref) {
    return upcri_make_shared((uintptr_t)(ref & ((UINT64_C(1) << 40) - 1)), (upcr_thread_t)(ref >> 40), 0);
}

/* The object that the pointers of upcr_global_lock_alloc() and upcr_all_lock_alloc() point to. */
typedef struct upcr_lock {
    upcr_lock_ref_t last;       /* the link of the queue's last thread; null: the lock is free */
    upcr_lock_ref_t owner_link; /* the link of the thread that has the lock; debug library only, else null */
} upcr_lock_t;

/* A thread's link in the queue of one lock. */
typedef struct upcr_lock_link {
    upcr_lock_ref_t next; /* the next thread's link; null: none, or not linked yet */
    uint64_t signal;
} upcr_lock_link_t;

/*
 * Accesses of `size` bytes at dst, 4 or 8 and aligned to that; val, cmp and old are the caller's own memory.
 * dst may have affinity to any thread. All are coherent with each other and with the lock's own accesses.
 * Complete when they return. UPC threads only, not from an AM handler. Fatal: another size, a null pointer,
 * a thread that does not exist.
 *
 *   upcr_lock_put    writes val, after all that the calling thread has written before, and wakes dst's
 *                    thread if it sleeps in a call of the runtime
 *   upcr_lock_swap   writes val and stores the previous value in *old
 *   upcr_lock_cswap  writes val and returns 1 if the value is cmp, else returns 0
 */
UPCRI_API void upcr_lock_put(upcr_shared_ptr_t dst, void *val, int size);
UPCRI_API void upcr_lock_swap(upcr_shared_ptr_t dst, void *val, void *old, int size);
UPCRI_API int upcr_lock_cswap(upcr_shared_ptr_t dst, void *cmp, void *val, int size);

UPCRI_END_C

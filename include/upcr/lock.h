/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks (UPC Runtime specification, "Locks"; upc_lock_t).
 *
 * A lock is identified by a pointer-to-shared whose fields have no meaning for the program. Locks are fair:
 * threads acquire them in the order of their requests. A waiting thread polls memory that no third thread
 * uses, serves its peers and sleeps in a long wait; acquiring and releasing cost a fixed number of accesses at
 * the lock's owner, however many threads wait. Locks are not recursive. Any number may be held at once.
 *
 * Errors, fatal: unlocking a lock that the calling thread does not hold; freeing a lock twice, or a pointer
 * that is no lock; locking a lock that the calling thread holds; a lock that is freed while a thread waits
 * for it; a null pointer, except for freeing.
 * Fatal in debug, undefined otherwise: any other use of a freed lock or of a pointer that is no lock.
 *
 * UPC threads only, not from an AM handler.
 */
#pragma once
#include "upcr/lock_rep.h"

UPCRI_BEGIN_C

/* A new lock, not held, made by the calling thread. */
UPCRI_API upcr_shared_ptr_t upcr_global_lock_alloc(void);
/* Collective: one new lock; every thread gets the same pointer. Not a barrier. */
UPCRI_API upcr_shared_ptr_t upcr_all_lock_alloc(void);

/* Waits until the calling thread holds the lock. Everything that earlier holders did is visible on return. */
#if UPCRI_INLINE_LOCKS
UPCRI_STATIC void upcr_lock(upcr_shared_ptr_t lockptr) {
    if (UPCRI_UNLIKELY(!upcri_lock_here(lockptr))) upcri_lock_far(lockptr);
}
#else
UPCRI_API void upcr_lock(upcr_shared_ptr_t lockptr);
#endif
/* 1: the calling thread holds the lock now, as by upcr_lock(). 0: another thread holds it; peers were served.
 * */
UPCRI_API int upcr_lock_attempt(upcr_shared_ptr_t lockptr);
/* Releases it. Everything that this thread did before is complete and visible to the next holder. */
#if UPCRI_INLINE_LOCKS
UPCRI_STATIC void upcr_unlock(upcr_shared_ptr_t lockptr) {
    if (UPCRI_UNLIKELY(!upcri_unlock_here(lockptr))) upcri_unlock_far(lockptr);
}
#else
UPCRI_API void upcr_unlock(upcr_shared_ptr_t lockptr);
#endif

/*
 * Frees the lock; null is ignored. Legal whether the lock is held (by any thread; it then need
 * not be unlocked) or not, but not while a thread waits for it.
 *   upcr_lock_free      any one thread
 *   upcr_all_lock_free  collective, with the same pointer everywhere: freed once every thread has called.
 *                       Not a barrier. bupc_all_lock_free is its older name.
 * upcr_free() and upcr_all_free() free locks as well; the debug library warns.
 */
UPCRI_API void upcr_lock_free(upcr_shared_ptr_t lockptr);
UPCRI_API void upcr_all_lock_free(upcr_shared_ptr_t lockptr);
#define bupc_all_lock_free upcr_all_lock_free

UPCRI_END_C

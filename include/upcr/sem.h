/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Semaphores in shared memory, and puts that signal one (Berkeley UPC extensions for point-to-point
 * synchronisation).
 *
 * A semaphore has a value, 0 at first, and affinity to the thread that allocates it; any thread may use it,
 * and the one it has affinity to waits fastest. If it is not mapped here, a post is one message
 * without a reply; its owner must call the library for posts, and for remote waiters, to make progress.
 *
 * Every operation but alloc and free implies a fence: what a thread did before a post is visible to the
 * thread whose wait it completes. (Not non-blocking copies that were not synchronised yet.)
 *
 * A post, and the data of a signalling put, has been sent when the call returns, and the poster never waits
 * for its arrival: not in later strict accesses, in upc_fence, upcr_poll() or a barrier. Only a thread that
 * consumes the post can rely on its arrival. Others may see a later strict access of the poster before it, and a
 * try right after a barrier may fail: use a wait.
 *
 *   s         the semaphore
 *   n         the amount that is added or subtracted at once, 0 to BUPC_SEM_MAXVALUE; 0: only the fence
 *
 * UPC threads, not in an AM handler. Fatal: illegal flags, a pointer to no semaphore. Debug also: a value
 * above BUPC_SEM_MAXVALUE, an N form on a boolean one, a second thread where a flag promises one.
 */
#pragma once
#include "upcr/types.h"

UPCRI_BEGIN_C

/* At most one flag of each pair; the default is the second. Promises about the use of the semaphore. */
#define BUPC_SEM_BOOLEAN 1 /* the value is 0 or 1: a post sets it, posting again changes nothing */
#define BUPC_SEM_INTEGER 2
#define BUPC_SEM_SPRODUCER 4 /* one thread posts, ever */
#define BUPC_SEM_MPRODUCER 8
#define BUPC_SEM_SCONSUMER 16 /* one thread waits or tries, ever */
#define BUPC_SEM_MCONSUMER 32
#define BUPC_SEM_MAXVALUE 65535

/* A semaphore of the calling thread; freed by any one thread when no thread uses it any more and every post
 * was consumed (others may still be in flight); null is ignored. */
UPCRI_API upcr_pshared_ptr_t bupc_sem_alloc(int flags);
UPCRI_API void bupc_sem_free(upcr_pshared_ptr_t s);

/* Adds 1; adds n. Never waits for another thread. */
UPCRI_API void bupc_sem_post(upcr_pshared_ptr_t s);
UPCRI_API void bupc_sem_postN(upcr_pshared_ptr_t s, size_t n);

/* Waits until the value is at least 1, or n, and subtracts it. A waiting thread sleeps. Waits for
 * much may be overtaken by waits for little. */
UPCRI_API void bupc_sem_wait(upcr_pshared_ptr_t s);
UPCRI_API void bupc_sem_waitN(upcr_pshared_ptr_t s, size_t n);

/* The same if that is possible now: 1, else 0 and nothing has changed. */
UPCRI_API int bupc_sem_try(upcr_pshared_ptr_t s);
UPCRI_API int bupc_sem_tryN(upcr_pshared_ptr_t s, size_t n);

/*
 * Copies nbytes from src to dst, then adds n to s, which has affinity to dst's thread: a thread that consumes
 * the post finds the data. One message for both where dst is not mapped here, several for large sizes, and no
 * reply.
 *   bupc_memput_signal        src may be used again on return
 *   bupc_memput_signal_async  src must not change until the data has arrived at dst, for example until a post
 *                             in return
 */
UPCRI_API void bupc_memput_signal(upcr_shared_ptr_t dst, const void *src, size_t nbytes, upcr_pshared_ptr_t s,
                                  size_t n);
UPCRI_API void bupc_memput_signal_async(upcr_shared_ptr_t dst, const void *src, size_t nbytes,
                                        upcr_pshared_ptr_t s, size_t n);

UPCRI_END_C

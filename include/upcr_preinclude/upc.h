/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upc.h> of UPC 1.3 (7.2). UPC source: a front end reads it, with this folder first in the include path
 * and __BERKELEY_UPC_FIRST_PREPROCESS__ defined. Included by C (translated code, or by mistake) it is
 * upcr.h. Sets no access mode: upc_strict.h and upc_relaxed.h do. <stdlib.h>, <inttypes.h> and, unless
 * BUPC_DISABLE_EXTENSIONS is defined, <bupc_extensions.h> come with it.
 */
#ifndef UPCRI_PREINCLUDE_UPC_H
#define UPCRI_PREINCLUDE_UPC_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <upc_types.h>
#include <upc_bits.h>

/* Ends the whole job with this status; output is flushed. Any thread (7.2.1). */
extern void upc_global_exit(int __status);

/*
 * Shared memory (7.2.2), not cleared. Sizes in bytes; 0 bytes: a null pointer.
 *   upc_global_alloc  nblocks blocks of nbytes each, distributed round robin from thread 0; one caller, one
 *                     object
 *   upc_all_alloc     the same, collective: one object, every thread gets the pointer
 *   upc_alloc         nbytes on the calling thread
 *   upc_free          by any one thread; null is ignored
 *   upc_all_free      collective
 */
extern shared void *upc_global_alloc(size_t __nblocks, size_t __nbytes);
extern shared void *upc_all_alloc(size_t __nblocks, size_t __nbytes);
extern shared void *upc_alloc(size_t __nbytes);
extern void upc_free(shared void *__ptr);
extern void upc_all_free(shared void *__ptr);
/* UPC 1.0: nblocks * nbytes on the calling thread. */
extern shared void *upc_local_alloc(size_t __nblocks, size_t __nbytes);

/* The parts of a pointer-to-shared (7.2.3). */
extern size_t upc_threadof(shared void *__ptr);
extern size_t upc_phaseof(shared void *__ptr);
extern shared void *upc_resetphase(shared void *__ptr);
extern size_t upc_addrfield(shared void *__ptr);
/* Bytes on thread `threadid` of an object of `totalsize` bytes in blocks of `nbytes` (0: indefinite). */
extern size_t upc_affinitysize(size_t __totalsize, size_t __nbytes, size_t __threadid);

/*
 * Locks (7.2.4). Opaque, shared, used through pointers, which are generic pointers-to-shared. Not
 * recursive; upc_lock and upc_unlock act as fences.
 */
typedef shared void upc_lock_t;
extern upc_lock_t *upc_global_lock_alloc(void);
extern upc_lock_t *upc_all_lock_alloc(void);
extern void upc_lock_free(upc_lock_t *__ptr);
extern void upc_all_lock_free(upc_lock_t *__ptr);
extern void upc_lock(upc_lock_t *__ptr);
extern int upc_lock_attempt(upc_lock_t *__ptr);
extern void upc_unlock(upc_lock_t *__ptr);

/* Copies of n bytes that do not overlap, and filling (7.2.5). Each shared range is on one thread. */
extern void upc_memcpy(shared void *restrict __dst, shared const void *restrict __src, size_t __n);
extern void upc_memget(void *restrict __dst, shared const void *restrict __src, size_t __n);
extern void upc_memput(shared void *restrict __dst, const void *restrict __src, size_t __n);
extern void upc_memset(shared void *__dst, int __c, size_t __n);

/* Serves other threads; for loops that wait for a shared variable. */
extern void upc_poll(void);
extern void bupc_poll(void);

/* Older spellings of UPC's statements, without upc_. A program with names of its own like these defines
 * UPC_DISABLE_LEGACY_NAMES. With OpenMP, barrier is not defined: it would be replaced in #pragma omp barrier. */
#ifndef UPC_DISABLE_LEGACY_NAMES
#define forall upc_forall
#ifndef _OPENMP
#define barrier upc_barrier
#endif
#define barrier_notify upc_notify
#define barrier_wait upc_wait
#define fence upc_fence
#endif

/* Extensions of Berkeley UPC are included by default; all names begin with bupc_ or BUPC_. */
#ifndef BUPC_DISABLE_EXTENSIONS
#include <bupc_extensions.h>
#endif

#endif
#endif

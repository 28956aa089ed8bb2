/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of upc.h that a compiled program uses: allocation and locks, plain and as instrumented code calls
 * them. */
#pragma once
#include "tests/gupc/emit.h"

upc_shared_ptr_t upc_alloc(size_t nbytes);
upc_shared_ptr_t upc_local_alloc(size_t nblocks, size_t nbytes);
upc_shared_ptr_t upc_global_alloc(size_t nblocks, size_t nbytes);
upc_shared_ptr_t upc_all_alloc(size_t nblocks, size_t nbytes);
void upc_free(upc_shared_ptr_t p);
void upc_all_free(upc_shared_ptr_t p);
upc_shared_ptr_t upc_allocg(size_t nbytes, const char *file, int line);
upc_shared_ptr_t upc_global_allocg(size_t nblocks, size_t nbytes, const char *file, int line);
upc_shared_ptr_t upc_all_allocg(size_t nblocks, size_t nbytes, const char *file, int line);
void upc_freeg(upc_shared_ptr_t p, const char *file, int line);
void upc_all_freeg(upc_shared_ptr_t p, const char *file, int line);

upc_shared_ptr_t upc_lock_alloc(void);
upc_shared_ptr_t upc_global_lock_alloc(void);
upc_shared_ptr_t upc_all_lock_alloc(void);
void upc_lock(upc_shared_ptr_t lock);
int upc_lock_attempt(upc_shared_ptr_t lock);
void upc_unlock(upc_shared_ptr_t lock);
void upc_lock_free(upc_shared_ptr_t lock);
void upc_all_lock_free(upc_shared_ptr_t lock);
upc_shared_ptr_t upc_global_lock_allocg(const char *file, int line);
upc_shared_ptr_t upc_all_lock_allocg(const char *file, int line);
void upc_lockg(upc_shared_ptr_t lock, const char *file, int line);
int upc_lock_attemptg(upc_shared_ptr_t lock, const char *file, int line);
void upc_unlockg(upc_shared_ptr_t lock, const char *file, int line);
void upc_lock_freeg(upc_shared_ptr_t lock, const char *file, int line);
void upc_all_lock_freeg(upc_shared_ptr_t lock, const char *file, int line);

#define HERE __FILE__, __LINE__

UPCRI_STATIC void barrier_all(void) { __upc_barrier(EMIT_ANONYMOUS); }
/* The same offset on another thread. */
UPCRI_STATIC upc_shared_ptr_t on_thread(upc_shared_ptr_t p, int thread) {
    return gupc_make(gupc_offset(p), (upcr_thread_t)thread, 0);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of non-blocking accesses: the out-of-line functions and the fast path for memory that is mapped
 * here, where an operation is complete when it has been issued. Nothing here is for users.
 */
#pragma once
#include "upcr/access_rep.h"

UPCRI_BEGIN_C

/* The kind of an operation (`how`), for the out-of-line functions and their checks. */
#define UPCRI_NB_VALUE UPCRI_ACCESS_VALUE   /* 1: a register's */
#define UPCRI_NB_STRICT UPCRI_ACCESS_STRICT /* 2 */
#define UPCRI_NB_IMPLICIT 4                 /* no handle: counts for the implicit sync functions */
#define UPCRI_NB_BULK 8    /* the source of a put stays until synced; may overlap strict ones */
#define UPCRI_NB_GET 16    /* counts as a get */
#define UPCRI_NB_REGION 32 /* the handle of an access region */

/* The public function's name is passed in debug builds only. */
#if UPCR_DEBUG
#define UPCRI_NAME(name) name
#else
#define UPCRI_NAME(name) ((const char *)0)
#endif

UPCRI_API upcr_handle_t upcri_put_nb(const char *function, upcr_shared_ptr_t dest, ptrdiff_t offset,
                                     const void *src, size_t n, unsigned how);
UPCRI_API upcr_handle_t upcri_get_nb(const char *function, void *dest, upcr_shared_ptr_t src,
                                     ptrdiff_t offset, size_t n, unsigned how);
UPCRI_API upcr_handle_t upcri_put_val_nb(const char *function, upcr_shared_ptr_t dest, ptrdiff_t offset,
                                         upcr_register_value_t value, size_t n, unsigned how);
UPCRI_API upcr_valget_handle_t upcri_get_val_nb(const char *function, upcr_shared_ptr_t src, ptrdiff_t offset,
                                                size_t n, unsigned how);
UPCRI_API void upcri_wait_nb(const char *function, upcr_handle_t handle, unsigned how);
UPCRI_API int upcri_try_nb(const char *function, upcr_handle_t handle, unsigned how);
UPCRI_API void upcri_wait_nb_all(const char *function, upcr_handle_t *handles, size_t count);
UPCRI_API int upcri_try_nb_all(const char *function, upcr_handle_t *handles, size_t count);
UPCRI_API void upcri_wait_nb_some(const char *function, upcr_handle_t *handles, size_t count);
UPCRI_API int upcri_try_nb_some(const char *function, upcr_handle_t *handles, size_t count);
UPCRI_API void upcri_wait_nbi(const char *function, int gets, int puts);
UPCRI_API int upcri_try_nbi(const char *function, int gets, int puts);
UPCRI_API upcr_register_value_t upcri_wait_valget(const char *function, upcr_valget_handle_t handle);

/* Non-zero: done, in memory mapped here. Not in debug builds, where every operation is registered. */
UPCRI_STATIC int upcri_put_now(upcr_shared_ptr_t dest, ptrdiff_t offset, int phased, const void *src,
                               size_t n) {
    uintptr_t address;
    if (UPCR_DEBUG || !upcri_find(dest, offset, phased, &address)) return 0;
    if (UPCRI_ONE_WORD(n)) {
        upcri_store(address, upcri_load_private(src, n), n);
    } else {
        upcri_copy((void *)address, src, n);
        upcri_compiler_fence(); /* a loop that waits for shared memory reads it again */
    }
    return 1;
}
UPCRI_STATIC int upcri_get_now(void *dest, upcr_shared_ptr_t src, ptrdiff_t offset, int phased, size_t n) {
    uintptr_t address;
    if (UPCR_DEBUG || !upcri_find(src, offset, phased, &address)) return 0;
    if (UPCRI_ONE_WORD(n)) {
        upcri_store_private(dest, upcri_load(address, n), n);
    } else {
        upcri_compiler_fence();
        upcri_copy(dest, (const void *)address, n);
    }
    return 1;
}
UPCRI_STATIC int upcri_put_val_now(upcr_shared_ptr_t dest, ptrdiff_t offset, int phased,
                                   upcr_register_value_t value, size_t n) {
    uintptr_t address;
    if (UPCR_DEBUG || !UPCRI_ONE_WORD(n) || !upcri_find(dest, offset, phased, &address)) return 0;
    upcri_store(address, value, n);
    return 1;
}

UPCRI_END_C

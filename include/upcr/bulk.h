/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies between private and shared memory, and within shared memory, of any size (UPC 1.3 7.2.5 and
 * 7.7; UPC Runtime specification, "Bulk memory operations").
 *
 *   dst, src      addresses; shared memory from there on is contiguous on its thread, whatever the
 *                 block size; any alignment
 *   nbytes        0 or more
 *   c             the byte that a fill writes: (unsigned char)c
 *
 * Relaxed. The two ranges must not overlap. Blocking forms are complete on return. Non-blocking ones return a
 * handle, or count as implicit operations, and are synchronised as in nb.h; until then the source must not
 * change and the destination must not be used. They may stay pending across strict accesses and barriers.
 * UPC threads, not in an AM handler. Debug: null pointers and ranges outside the owner's segment are fatal.
 */
#pragma once
#include "upcr/nb.h"

UPCRI_BEGIN_C

/* Out of line: one end is not mapped here, or the arguments are to be checked (debug). */
UPCRI_API void upcri_memcpy(const char *function, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
                            size_t nbytes);
UPCRI_API void upcri_memset(const char *function, upcr_shared_ptr_t dst, int c, size_t nbytes);
UPCRI_API upcr_handle_t upcri_memcpy_nb(const char *function, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
                                        size_t nbytes, unsigned how);
UPCRI_API upcr_handle_t upcri_memset_nb(const char *function, upcr_shared_ptr_t dst, int c, size_t nbytes,
                                        unsigned how);

/* Non-zero: complete, both ends are mapped here. Not in debug builds. */
UPCRI_STATIC int upcri_memcpy_now(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes) {
    uintptr_t to, from;
    if (UPCR_DEBUG || !upcri_find(dst, 0, 1, &to) || !upcri_find(src, 0, 1, &from)) return 0;
    upcri_compiler_fence(); /* a loop that waits for shared memory reads it again */
    upcri_copy((void *)to, (const void *)from, nbytes);
    upcri_compiler_fence();
    return 1;
}
UPCRI_STATIC int upcri_memset_now(upcr_shared_ptr_t dst, int c, size_t nbytes) {
    uintptr_t to;
    if (UPCR_DEBUG || !upcri_find(dst, 0, 1, &to)) return 0;
    __builtin_memset((void *)to, c, nbytes);
    upcri_compiler_fence();
    return 1;
}

/* ---- Blocking ---- */

/* Shared to private, private to shared. */
UPCRI_STATIC void upcr_memget(void *dst, upcr_shared_ptr_t src, size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_memget", src, 0, nbytes, 0);
    UPCRI_CHECK_PRIVATE("upcr_memget", dst, nbytes);
    upcri_get(dst, src, 0, 1, nbytes);
}
UPCRI_STATIC void upcr_memput(upcr_shared_ptr_t dst, const void *src, size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_memput", dst, 0, nbytes, 0);
    UPCRI_CHECK_PRIVATE("upcr_memput", src, nbytes);
    upcri_put(dst, 0, 1, src, nbytes);
}
/* Shared to shared, either of any thread. */
UPCRI_STATIC void upcr_memcpy(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes) {
    if (!upcri_memcpy_now(dst, src, nbytes)) upcri_memcpy(UPCRI_NAME("upcr_memcpy"), dst, src, nbytes);
}
UPCRI_STATIC void upcr_memset(upcr_shared_ptr_t dst, int c, size_t nbytes) {
    if (!upcri_memset_now(dst, c, nbytes)) upcri_memset(UPCRI_NAME("upcr_memset"), dst, c, nbytes);
}

/* ---- Non-blocking, explicit handle ---- */

UPCRI_STATIC upcr_handle_t upcr_nb_memget(void *dst, upcr_shared_ptr_t src, size_t nbytes) {
    if (upcri_get_now(dst, src, 0, 1, nbytes)) return UPCR_INVALID_HANDLE;
    return upcri_get_nb(UPCRI_NAME("upcr_nb_memget"), dst, src, 0, nbytes, UPCRI_NB_GET | UPCRI_NB_BULK);
}
UPCRI_STATIC upcr_handle_t upcr_nb_memput(upcr_shared_ptr_t dst, const void *src, size_t nbytes) {
    if (upcri_put_now(dst, 0, 1, src, nbytes)) return UPCR_INVALID_HANDLE;
    return upcri_put_nb(UPCRI_NAME("upcr_nb_memput"), dst, 0, src, nbytes, UPCRI_NB_BULK);
}
UPCRI_STATIC upcr_handle_t upcr_nb_memcpy(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes) {
    if (upcri_memcpy_now(dst, src, nbytes)) return UPCR_INVALID_HANDLE;
    return upcri_memcpy_nb(UPCRI_NAME("upcr_nb_memcpy"), dst, src, nbytes, UPCRI_NB_BULK);
}
UPCRI_STATIC upcr_handle_t upcr_nb_memset(upcr_shared_ptr_t dst, int c, size_t nbytes) {
    if (upcri_memset_now(dst, c, nbytes)) return UPCR_INVALID_HANDLE;
    return upcri_memset_nb(UPCRI_NAME("upcr_nb_memset"), dst, c, nbytes, UPCRI_NB_BULK);
}

/* ---- Non-blocking, implicit ---- */

UPCRI_STATIC void upcr_nbi_memget(void *dst, upcr_shared_ptr_t src, size_t nbytes) {
    if (upcri_get_now(dst, src, 0, 1, nbytes)) return;
    (void)upcri_get_nb(UPCRI_NAME("upcr_nbi_memget"), dst, src, 0, nbytes,
                       UPCRI_NB_GET | UPCRI_NB_BULK | UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void upcr_nbi_memput(upcr_shared_ptr_t dst, const void *src, size_t nbytes) {
    if (upcri_put_now(dst, 0, 1, src, nbytes)) return;
    (void)upcri_put_nb(UPCRI_NAME("upcr_nbi_memput"), dst, 0, src, nbytes, UPCRI_NB_BULK | UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void upcr_nbi_memcpy(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes) {
    if (upcri_memcpy_now(dst, src, nbytes)) return;
    (void)upcri_memcpy_nb(UPCRI_NAME("upcr_nbi_memcpy"), dst, src, nbytes, UPCRI_NB_BULK | UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void upcr_nbi_memset(upcr_shared_ptr_t dst, int c, size_t nbytes) {
    if (upcri_memset_now(dst, c, nbytes)) return;
    (void)upcri_memset_nb(UPCRI_NAME("upcr_nbi_memset"), dst, c, nbytes, UPCRI_NB_BULK | UPCRI_NB_IMPLICIT);
}

/* ---- The same with the handles of UPC 1.3 (upc_memget_nb ...): BUPC_COMPLETE_HANDLE is NULL ---- */

UPCRI_STATIC bupc_handle_t upcr_memget_nb(void *dst, upcr_shared_ptr_t src, size_t nbytes) {
    if (upcri_get_now(dst, src, 0, 1, nbytes)) return BUPC_COMPLETE_HANDLE;
    return upcri_get_nb(UPCRI_NAME("upcr_memget_nb"), dst, src, 0, nbytes, UPCRI_NB_GET | UPCRI_NB_BULK);
}
UPCRI_STATIC bupc_handle_t upcr_memput_nb(upcr_shared_ptr_t dst, const void *src, size_t nbytes) {
    if (upcri_put_now(dst, 0, 1, src, nbytes)) return BUPC_COMPLETE_HANDLE;
    return upcri_put_nb(UPCRI_NAME("upcr_memput_nb"), dst, 0, src, nbytes, UPCRI_NB_BULK);
}
UPCRI_STATIC bupc_handle_t upcr_memcpy_nb(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes) {
    if (upcri_memcpy_now(dst, src, nbytes)) return BUPC_COMPLETE_HANDLE;
    return upcri_memcpy_nb(UPCRI_NAME("upcr_memcpy_nb"), dst, src, nbytes, UPCRI_NB_BULK);
}
UPCRI_STATIC bupc_handle_t upcr_memset_nb(upcr_shared_ptr_t dst, int c, size_t nbytes) {
    if (upcri_memset_now(dst, c, nbytes)) return BUPC_COMPLETE_HANDLE;
    return upcri_memset_nb(UPCRI_NAME("upcr_memset_nb"), dst, c, nbytes, UPCRI_NB_BULK);
}

/* upc_sync and upc_sync_attempt: as upcr_wait_syncnb() and upcr_try_syncnb(). */
UPCRI_STATIC void upcr_waitsync(bupc_handle_t handle) {
    if (handle != BUPC_COMPLETE_HANDLE) upcri_wait_nb(UPCRI_NAME("upcr_waitsync"), handle, 0);
}
UPCRI_STATIC int upcr_trysync(bupc_handle_t handle) {
    return handle == BUPC_COMPLETE_HANDLE || upcri_try_nb(UPCRI_NAME("upcr_trysync"), handle, 0);
}

UPCRI_END_C

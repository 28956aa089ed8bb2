/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Non-blocking bulk copies and fills under the names that UPC programs use: bupc_ with the suffixes _async
 * and _asynci (LBNL-56495 2 to 4, "Proposal for Extending the UPC Memory Copy Library Functions"), upc_ with
 * _nb and _nbi (UPC 1.3, 7.7 <upc_nb.h>). They are the operations of bulk.h and nb.h.
 *
 *   dst, src      addresses; shared memory from there on is contiguous on its thread; any alignment
 *   nbytes        0 or more
 *   c             the byte that a fill writes: (unsigned char)c
 *   ph, n         an array of n handles; null ones are skipped
 *
 * The calls start an operation, which is complete when it is synchronised: until then the source must not
 * change and the destination must not be used. An explicit operation gives a handle, BUPC_COMPLETE_HANDLE
 * (all zero) when it was complete at once, which its thread synchronises exactly once; implicit ones are
 * synchronised all together. Any number may be in flight, across strict accesses, fences and barriers too.
 * Relaxed; the ranges must not overlap. A copy between the memory of two other threads is sent directly from
 * one process to the other.
 *
 * UPC threads, not in an AM handler. Starting waits only while the network is full. Debug: a handle of
 * another thread, synchronised twice or never, null pointers, ranges outside the owner's segment.
 */
#pragma once
#include "upcr/bulk.h"

UPCRI_BEGIN_C

/* ---- Start ---- */

UPCRI_STATIC bupc_handle_t bupc_memcpy_async(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes) {
    return upcri_memcpy_nb(UPCRI_NAME("bupc_memcpy_async"), dst, src, nbytes, UPCRI_NB_BULK);
}
UPCRI_STATIC bupc_handle_t bupc_memget_async(void *dst, upcr_shared_ptr_t src, size_t nbytes) {
    return upcri_get_nb(UPCRI_NAME("bupc_memget_async"), dst, src, 0, nbytes, UPCRI_NB_GET | UPCRI_NB_BULK);
}
UPCRI_STATIC bupc_handle_t bupc_memput_async(upcr_shared_ptr_t dst, const void *src, size_t nbytes) {
    return upcri_put_nb(UPCRI_NAME("bupc_memput_async"), dst, 0, src, nbytes, UPCRI_NB_BULK);
}
UPCRI_STATIC bupc_handle_t bupc_memset_async(upcr_shared_ptr_t dst, int c, size_t nbytes) {
    return upcri_memset_nb(UPCRI_NAME("bupc_memset_async"), dst, c, nbytes, UPCRI_NB_BULK);
}
/* The same as implicit operations. */
UPCRI_STATIC void bupc_memcpy_asynci(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes) {
    (void)upcri_memcpy_nb(UPCRI_NAME("bupc_memcpy_asynci"), dst, src, nbytes,
                          UPCRI_NB_BULK | UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void bupc_memget_asynci(void *dst, upcr_shared_ptr_t src, size_t nbytes) {
    (void)upcri_get_nb(UPCRI_NAME("bupc_memget_asynci"), dst, src, 0, nbytes,
                       UPCRI_NB_GET | UPCRI_NB_BULK | UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void bupc_memput_asynci(upcr_shared_ptr_t dst, const void *src, size_t nbytes) {
    (void)upcri_put_nb(UPCRI_NAME("bupc_memput_asynci"), dst, 0, src, nbytes,
                       UPCRI_NB_BULK | UPCRI_NB_IMPLICIT);
}
UPCRI_STATIC void bupc_memset_asynci(upcr_shared_ptr_t dst, int c, size_t nbytes) {
    (void)upcri_memset_nb(UPCRI_NAME("bupc_memset_asynci"), dst, c, nbytes,
                          UPCRI_NB_BULK | UPCRI_NB_IMPLICIT);
}

/* ---- Synchronise ---- */

/* wait blocks; try returns at once: 1, and the handle is invalid, or 0. */
UPCRI_STATIC void bupc_waitsync(bupc_handle_t handle) {
    if (handle != BUPC_COMPLETE_HANDLE) upcri_wait_nb(UPCRI_NAME("bupc_waitsync"), handle, 0);
}
UPCRI_STATIC int bupc_trysync(bupc_handle_t handle) {
    return handle == BUPC_COMPLETE_HANDLE || upcri_try_nb(UPCRI_NAME("bupc_trysync"), handle, 0);
}
/* All of an array; at least one of the handles that are not BUPC_COMPLETE_HANDLE (with none there: done at
 * once). Entries whose operations are complete become BUPC_COMPLETE_HANDLE, also when try returns 0. */
UPCRI_STATIC void bupc_waitsync_all(bupc_handle_t *ph, size_t n) {
    upcri_wait_nb_all(UPCRI_NAME("bupc_waitsync_all"), ph, n);
}
UPCRI_STATIC int bupc_trysync_all(bupc_handle_t *ph, size_t n) {
    return upcri_try_nb_all(UPCRI_NAME("bupc_trysync_all"), ph, n);
}
UPCRI_STATIC void bupc_waitsync_some(bupc_handle_t *ph, size_t n) {
    upcri_wait_nb_some(UPCRI_NAME("bupc_waitsync_some"), ph, n);
}
UPCRI_STATIC int bupc_trysync_some(bupc_handle_t *ph, size_t n) {
    return upcri_try_nb_some(UPCRI_NAME("bupc_trysync_some"), ph, n);
}
/* Every implicit operation of this thread so far, outside access regions. Not inside one (debug: fatal). */
UPCRI_STATIC void bupc_waitsynci(void) { upcri_wait_nbi(UPCRI_NAME("bupc_waitsynci"), 1, 1); }
UPCRI_STATIC int bupc_trysynci(void) { return upcri_try_nbi(UPCRI_NAME("bupc_trysynci"), 1, 1); }

/* The implicit operations that this thread starts between begin and end become one explicit operation, whose
 * handle end returns. Regions do not nest (debug: fatal). */
UPCRI_STATIC void bupc_begin_accessregion(void) { upcr_begin_nbi_accessregion(); }
UPCRI_STATIC bupc_handle_t bupc_end_accessregion(void) { return upcr_end_nbi_accessregion(); }

UPCRI_END_C

/* How many operations one thread may have in flight, explicit and implicit: there is no limit but memory. */
#define UPC_MAX_ASYNC_INFLIGHT 2147483647

/* ---- <upc_nb.h> of UPC 1.3. Object-like, as in upc_names.h. ---- */

#define upc_handle_t bupc_handle_t
#define UPC_COMPLETE_HANDLE BUPC_COMPLETE_HANDLE
#define upc_memcpy_nb upcr_memcpy_nb
#define upc_memget_nb upcr_memget_nb
#define upc_memput_nb upcr_memput_nb
#define upc_memset_nb upcr_memset_nb
#define upc_memcpy_nbi upcr_nbi_memcpy
#define upc_memget_nbi upcr_nbi_memget
#define upc_memput_nbi upcr_nbi_memput
#define upc_memset_nbi upcr_nbi_memset
#define upc_sync upcr_waitsync
#define upc_sync_attempt upcr_trysync
#define upc_synci upcr_wait_syncnbi_all
#define upc_synci_attempt upcr_try_syncnbi_all

#include "upcr_preinclude/bupc_proposal_names.h"

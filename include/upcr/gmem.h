/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The upcr_gmem layer: shared memory as (thread, offset), with non-blocking transfers that are counted, as in
 * "UPC Runtime Design Utilizing Portals-4" (chapters 10 to 14 and 18). The GCC-UPC interface uses it;
 * C and C++ programs may use it beside the rest of upcr.h.
 *
 *   dest, src   an address in shared memory, or local memory of the caller; any alignment. The two must not
 *               overlap.
 *   n           bytes; 0 does nothing
 *
 * UPC threads, not in an AM handler; counts, buffer and handles belong to the calling UPC thread. Fatal: a
 * thread that does not exist, bytes outside its segment.
 *
 * Memory of the calling thread, and of any thread whose segment is mapped into its process, is read and
 * written at once. Everything else is started, and is complete when it has been synchronised. The functions
 * of this header promise no order among pending transfers (accesses of compiled code are ordered by
 * table 5.3 of the design: upcr/gupc.h). The end of the program waits for pending transfers;
 * upcr_notify() does not: call upcr_gmem_sync() first.
 */
#pragma once
#include "upcr/sptr.h"

/* Chapter 10: useful constants, and what this implementation chose. In bytes. */
#ifndef KB
#define KB 1024
#endif
#ifndef MB
#define MB (KB * KB)
#endif
#ifndef GB
#define GB (MB * KB)
#endif
/* A put of at most so many bytes copies its source, which is reusable without waiting. */
#define UPCR_GMEM_MAX_SAFE_PUT_SIZE 1024
/* The longest single transfer: longer ones are done, and counted, in pieces of this size. */
#define UPCR_GMEM_MAX_PORTALS_GET_SIZE 1073741824
#define UPCR_GMEM_MAX_PORTALS_PUT_SIZE 1073741824
/* The buffer for copied sources of each UPC thread. */
#define UPCR_GMEM_PUT_BOUNCE_BUFFER_SIZE 262144
/* The longest relaxed put of compiled code that can be pending while later ones start. Networks may
 * reorder; an access waits for pending ones to the same bytes. */
#define UPCR_MAX_ORDERED_SIZE UPCR_GMEM_MAX_SAFE_PUT_SIZE

UPCRI_BEGIN_C

/* ---- Chapters 11 and 12: types, and the calling thread's state ---- */

/* An address: a UPC thread, and a byte offset in its segment (upcr_addrfield_shared()). */
typedef struct upcr_gmem_addr_struct {
    upcr_thread_t thread;
    uint64_t offset;
} upcr_gmem_addr_t;

/* Transfers in one direction since the program started. num_pending: started, not known to be complete.
 * num_completed: the others. Their sum is the initiated count. A transfer within the calling thread's own
 * memory does not count; every other one counts once for each piece. */
typedef struct upcr_gmem_xfer_info_struct {
    uint64_t num_pending;
    uint64_t num_completed;
} upcr_gmem_xfer_info_t;
typedef upcr_gmem_xfer_info_t *upcr_gmem_xfer_info_p;

#define UPCRI_GMEM_STATE extern UPCRI_API UPCRI_THREAD_LOCAL
#define UPCRI_GMEM_MODEL __attribute__((tls_model("initial-exec")))
/* All of these are to be read only. */
UPCRI_GMEM_STATE upcr_thread_t upcr_my_thread UPCRI_GMEM_MODEL; /* upcr_mythread() */
UPCRI_GMEM_STATE upcr_gmem_xfer_info_t upcr_gmem_gets UPCRI_GMEM_MODEL;
UPCRI_GMEM_STATE upcr_gmem_xfer_info_t upcr_gmem_puts UPCRI_GMEM_MODEL; /* puts, copies, fills */
/* Not 0: the last put of compiled code was strict and is pending. */
UPCRI_GMEM_STATE int upcr_pending_strict_put UPCRI_GMEM_MODEL;

/* The buffer for copied sources of puts, and its bytes in use. Exists from the thread's first put to
 * memory that is not mapped. */
typedef char upcr_gmem_put_bounce_buffer_t[UPCR_GMEM_PUT_BOUNCE_BUFFER_SIZE];
UPCRI_GMEM_STATE upcr_gmem_put_bounce_buffer_t *upcri_gmem_put_bounce_buffer UPCRI_GMEM_MODEL;
#define upcr_gmem_put_bounce_buffer (*upcri_gmem_put_bounce_buffer)
UPCRI_GMEM_STATE size_t upcr_gmem_num_put_bounce_buffer_bytes_used UPCRI_GMEM_MODEL;
#undef UPCRI_GMEM_STATE
#undef UPCRI_GMEM_MODEL

/* ---- Chapter 13.1: addresses ---- */

/* The local address of byte `offset` of the calling thread's segment. Not checked. */
UPCRI_API void *upcr_gmem_shared_offset_to_local_addr(uint64_t offset);

/* The address of a pointer-to-shared. */
UPCRI_STATIC upcr_gmem_addr_t upcr_sptr_to_gmem_addr(upcr_shared_ptr_t p) {
    upcr_gmem_addr_t a;
    a.thread = upcri_thread_shared(p);
    a.offset = upcri_offset_shared(p);
    return a;
}

/* ---- Chapters 13.2 to 13.5: transfers, complete when synchronised ---- */

/* Reads. `dest` is undefined before upcr_gmem_sync_gets(). */
UPCRI_API void upcr_gmem_get(void *dest, upcr_gmem_addr_t src, size_t n);
/* Writes. `src` may be reused on return; more than UPCR_GMEM_MAX_SAFE_PUT_SIZE bytes are written before. */
UPCRI_API void upcr_gmem_put(upcr_gmem_addr_t dest, void *src, size_t n);
/* Copies within shared memory, through the bounce buffer; the source has been read on return. Bytes that
 * do not fit the buffer together are written before. Counts as a put. */
UPCRI_API void upcr_gmem_copy(upcr_gmem_addr_t dest, upcr_gmem_addr_t src, size_t n);
/* Fills with the value of the low 8 bits of `c`. Counts as a put. */
UPCRI_API void upcr_gmem_set(upcr_gmem_addr_t dest, int c, size_t n);

/* ---- Chapters 13.6 to 13.8: wait for this thread's transfers ----
 *
 * Afterwards the destinations of gets have their data, and every thread reads the data of puts. */

UPCRI_API void upcr_gmem_sync(void);
UPCRI_API void upcr_gmem_sync_gets(void);
UPCRI_API void upcr_gmem_sync_puts(void);

/* ---- Chapter 18: transfers with handles, which are not counted ----
 *
 * Each handle is waited for exactly once, by the thread that got it, and is invalid afterwards. The transfers
 * start on return; a put or copy of at most UPCR_GMEM_MAX_SAFE_PUT_SIZE bytes leaves its source reusable, a
 * longer one when it is complete. UPCR_INVALID_HANDLE (all zero) is the handle of a complete transfer.
 */
typedef upcr_handle_t upcr_gmem_handle_t;

UPCRI_API upcr_gmem_handle_t upcr_gmem_get_nh(void *dest, upcr_gmem_addr_t src, size_t n);
UPCRI_API upcr_gmem_handle_t upcr_gmem_put_nh(upcr_gmem_addr_t dest, void *src, size_t n);
UPCRI_API upcr_gmem_handle_t upcr_gmem_copy_nh(upcr_gmem_addr_t dest, upcr_gmem_addr_t src, size_t n);
UPCRI_API upcr_gmem_handle_t upcr_gmem_set_nh(upcr_gmem_addr_t dest, int c, size_t n);

/* Waits for all of `n` handles; they become UPCR_INVALID_HANDLE. Such entries are ignored. */
UPCRI_API void upcr_gmem_wait_all_nh(upcr_gmem_handle_t *which, size_t n);
/* Waits until at least one of them is complete; those that are become UPCR_INVALID_HANDLE, which is how the
 * caller finds them. Returns at once if all entries are UPCR_INVALID_HANDLE. */
UPCRI_API void upcr_gmem_wait_any_nh(upcr_gmem_handle_t *which, size_t n);

/* ---- Chapter 14: errors, fences ---- */

/* Ends the job with this message: "UPC Runtime error: ", the text, and the thread. Any thread. */
UPCRI_API void upcr_error(const char *message) UPCRI_NORETURN;

/* 14.1: fences of the processor and the compiler. They wait for no transfer. */

UPCRI_STATIC void UPCR_READ_FENCE(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
UPCRI_STATIC void UPCR_WRITE_FENCE(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
UPCRI_STATIC void UPCR_FENCE(void) {
    UPCR_READ_FENCE();
    UPCR_WRITE_FENCE();
}

UPCRI_END_C

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions for the archives of GCC-UPC and Clang-UPC (upcr/gupc/abi/, one for each form of
 * pointer-to-shared) in the library. Nothing here is for users. UPC threads, unless stated otherwise.
 */
#pragma once
#include "upcr/gmem.h"

UPCRI_BEGIN_C

/* Offset, in every segment, of the thread's copy of the linker section upc_shared: to which offset 0 of a
 * compiler's pointer-to-shared refers. Set at start-up, constant afterwards; 0 until then. */
extern UPCRI_API uint64_t upcri_gupc_statics;
/* Bytes above upcri_gupc_statics that a pointer may reach. 0: the runtime has not been started. */
extern UPCRI_API uint64_t upcri_gupc_reach;

/* Accesses of compiled code. Ordering: table 5.3 below; strict: not 0. get is complete on return; put, copy
 * and set may be pending (their sources may be reused). The addresses have been checked; source and
 * destination of a copy may be the same. */
UPCRI_API void upcri_gupc_get(void *dst, upcr_gmem_addr_t src, size_t bytes, int strict);
UPCRI_API void upcri_gupc_put(upcr_gmem_addr_t dst, const void *src, size_t bytes, int strict);
UPCRI_API void upcri_gupc_copy(upcr_gmem_addr_t dst, upcr_gmem_addr_t src, size_t bytes, int strict);
UPCRI_API void upcri_gupc_set(upcr_gmem_addr_t dst, int c, size_t bytes, int strict);
/* As get, but complete when a row of the table, or upcr_gmem_sync_gets(), has waited for it: a prefetch. */
UPCRI_API void upcri_gupc_start_get(void *dst, upcr_gmem_addr_t src, size_t bytes, int strict);

/* Waits for the accesses that a relaxed write and read of these bytes would wait for: before a call that
 * changes them without this engine, and is complete on return. */
UPCRI_API void upcri_gupc_before_update(upcr_gmem_addr_t object, size_t bytes);

/* The rows of the table that are not accesses. Called on entry or exit, as its column says. */
enum upcri_gupc_sync {
    UPCRI_GUPC_FENCE,
    UPCRI_GUPC_NOTIFY,
    UPCRI_GUPC_WAIT,
    UPCRI_GUPC_LOCK,
    UPCRI_GUPC_LOCK_ATTEMPT,
    UPCRI_GUPC_UNLOCK
};
UPCRI_API void upcri_gupc_sync(enum upcri_gupc_sync operation);

/* Table 5.3 of the design, "Runtime Checks Dictated by the UPC Shared Memory Consistency Model": the accesses
 * that must be complete before an operation starts, as a sum of UPCRI_GUPC_RW..SR. Rows: the four accesses,
 * then enum upcri_gupc_sync. Constant, except in tests that check that a wrong entry is detected. */
enum upcri_gupc_access { UPCRI_GUPC_RW = 1, UPCRI_GUPC_RR = 2, UPCRI_GUPC_SW = 4, UPCRI_GUPC_SR = 8 };
struct upcri_gupc_checks {
    unsigned char anywhere;   /* accesses to any address */
    unsigned char same_place; /* accesses that overlap with this one; those in `anywhere` may be left out */
};
#define UPCRI_GUPC_ROWS 10
extern UPCRI_API struct upcri_gupc_checks upcri_gupc_table[UPCRI_GUPC_ROWS];

/* Length of the pieces that longer transfers are cut into: UPCR_GMEM_MAX_PORTALS_PUT_SIZE, except in tests.
 * */
extern UPCRI_API size_t upcri_gmem_piece;

/* The kinds of accesses of the calling thread, to memory that is not mapped, that may be pending: a sum of
 * UPCRI_GUPC_RW..SR. Operations on mapped memory that wait for one of them must call upcri_gupc_*.
 * Changed by the library only. */
extern UPCRI_API UPCRI_THREAD_LOCAL int upcri_gupc_pending __attribute__((tls_model("initial-exec")));
/* Relaxed reads of mapped memory that the calling thread has done, modulo 2^32, while some is not mapped. */
extern UPCRI_API UPCRI_THREAD_LOCAL unsigned upcri_gupc_gets __attribute__((tls_model("initial-exec")));

/*
 * A domain of UPC_PTS whose objects are the program's pointers-to-shared, not upcr's: all else as
 * _upcr_all_atomicdomain_alloc() (atomic.h). Collective.
 *   bytes      of a pointer: 8 or 16
 *   compared   the bits that UPC_CSWAP compares, which are all but the phase. 8 bytes: these bits. 16 bytes:
 *              all but the last 4 of them, or all but the first 4
 */
enum { UPCRI_GUPC_ALL_BUT_LAST = 0, UPCRI_GUPC_ALL_BUT_FIRST = 1 };
UPCRI_API upcr_pshared_ptr_t upcri_gupc_atomicdomain_alloc_pts(unsigned long long ops, int hints,
                                                               size_t bytes, uint64_t compared);

/*
 * Ends the job at once with this status, as upcr_global_exit() does, and every process runs its handlers of
 * atexit() first: the calling process on the calling thread, the others on a thread of the library, because
 * their own threads compute. Handlers may not call UPC functions; other processes end after 0.8 s even if
 * their handlers have not returned. Any UPC thread.
 */
UPCRI_API void upcri_gupc_global_exit(int status) UPCRI_NORETURN;
/* Start-up: this process runs its handlers when another one ends the job. Initial thread, job joined. */
UPCRI_API void upcri_gupc_watch_global_exit(void);

/* upcr_global_lock_alloc(), but null when the calling thread's heap has no room. */
UPCRI_API upcr_shared_ptr_t upcri_gupc_lock_alloc(void);

/* Ends the job: "UPC Runtime error: ", the text, and the position (upcri_set_srcpos). Any thread. */
UPCRI_API void upcri_gupc_fatal(const char *text) UPCRI_NORETURN;

/* How the program's compiler lays out a pointer-to-shared (upcr/gupc/abi/pointer/pts.h). packed: the
 * positions of the fields in the word. struct: only address_last is used (phase, thread, address). */
struct upcri_gupc_format {
    unsigned address_last; /* not 0: the address is the last field of the struct */
    unsigned address_shift, thread_shift, phase_shift;
    uint64_t address_mask, thread_mask, phase_mask; /* before shifting: (1 << bits) - 1 */
};
/* Defined by the program. Weak in the archive: address first, 34 bits, then thread, 10, then phase, 20. */
extern const struct upcri_gupc_format upcri_gupc_format;
/* Defined by the program, weak in the archive: the numbers of flags and operators in its code. 0: UPC 1.3;
 * 2012: those of GCC-UPC before. */
extern const int upcri_gupc_encoding;

UPCRI_END_C

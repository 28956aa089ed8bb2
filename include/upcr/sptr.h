/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pointers-to-shared: conversion, queries and comparison (specification 3.5, "Shared Pointer Manipulation").
 * Arithmetic is in sptr_arith.h, which this header includes.
 *
 * Two kinds: `shared` has a phase (block sizes above 1), `pshared` has none (block size 1 or indefinite).
 * Addresses are byte offsets in the owner's segment. Everything works on any thread of the program, takes
 * and returns values, and completes at once without communication. Functions that name the calling
 * thread ("mine", "local") are for UPC threads. Debug builds stop on what is marked "debug".
 */
#pragma once
#include "upcr/sptr_rep.h"

UPCRI_BEGIN_C

/* ---- Null and initialised ---- */

/* Non-zero iff the pointer is null. */
UPCRI_STATIC int upcr_isnull_shared(upcr_shared_ptr_t sptr) {
#ifdef UPCRI_POINTER_packed
    return sptr == 0;
#else
    return sptr.s_addr == 0;
#endif
}
UPCRI_STATIC int upcr_isnull_pshared(upcr_pshared_ptr_t sptr) {
#ifdef UPCRI_POINTER_packed
    return sptr == 0;
#else
    return sptr.s_addr == 0;
#endif
}
/* Stores null. Returns 0. */
UPCRI_STATIC int upcr_setnull_shared(upcr_shared_ptr_t *p) {
    *p = upcri_make_shared(0, 0, 0);
    return 0;
}
UPCRI_STATIC int upcr_setnull_pshared(upcr_pshared_ptr_t *p) {
    *p = upcri_make_pshared(0, 0);
    return 0;
}
/* Non-zero iff the value is UPCR_INITIALIZED_SHARED / _PSHARED: "has a user's initialiser". */
UPCRI_STATIC int upcr_is_init_shared(upcr_shared_ptr_t sptr) {
    return upcri_offset_shared(sptr) == 1 && upcri_thread_shared(sptr) == 0 && upcri_phase_shared(sptr) == 0;
}
UPCRI_STATIC int upcr_is_init_pshared(upcr_pshared_ptr_t sptr) {
    return upcri_offset_pshared(sptr) == 1 && upcri_thread_pshared(sptr) == 0;
}
/* Non-zero iff the value is null, or its thread exists and its address is inside that thread's segment.
 * (The specification's text takes a pointer; every implementation takes the value, and so does this.) */
UPCRI_API int upcr_isvalid_shared(upcr_shared_ptr_t sptr);
UPCRI_API int upcr_isvalid_pshared(upcr_pshared_ptr_t sptr);

/* ---- Fields ---- */

/* The thread that the object has affinity to; 0 for null. */
UPCRI_STATIC upcr_thread_t upcr_threadof_shared(upcr_shared_ptr_t sptr) { return upcri_thread_shared(sptr); }
UPCRI_STATIC upcr_thread_t upcr_threadof_pshared(upcr_pshared_ptr_t sptr) {
    return upcri_thread_pshared(sptr);
}
/* The phase in elements; 0 for null and for every pshared pointer. */
UPCRI_STATIC upcr_phase_t upcr_phaseof_shared(upcr_shared_ptr_t sptr) { return upcri_phase_shared(sptr); }
UPCRI_STATIC upcr_phase_t upcr_phaseof_pshared(upcr_pshared_ptr_t sptr) {
    (void)sptr;
    return 0;
}
/* The address part: the byte offset in the owner's segment; 0 for null. */
UPCRI_STATIC uintptr_t upcr_addrfield_shared(upcr_shared_ptr_t sptr) { return upcri_offset_shared(sptr); }
UPCRI_STATIC uintptr_t upcr_addrfield_pshared(upcr_pshared_ptr_t sptr) { return upcri_offset_pshared(sptr); }

/* ---- Between the two kinds ---- */

/* Drops the phase. */
UPCRI_STATIC upcr_pshared_ptr_t upcr_shared_to_pshared(upcr_shared_ptr_t sptr) {
    return upcri_drop_phase(sptr);
}
UPCRI_STATIC void upcr_shared_to_pshared_ref(upcr_shared_ptr_t sptr, upcr_pshared_ptr_t *result) {
    *result = upcri_drop_phase(sptr);
}
/* Phase 0, or `phase` elements. */
UPCRI_STATIC upcr_shared_ptr_t upcr_pshared_to_shared(upcr_pshared_ptr_t sptr) {
    return upcri_with_phase(sptr, 0);
}
UPCRI_STATIC void upcr_pshared_to_shared_ref(upcr_pshared_ptr_t sptr, upcr_shared_ptr_t *result) {
    *result = upcri_with_phase(sptr, 0);
}
UPCRI_STATIC upcr_shared_ptr_t upcr_pshared_to_shared_withphase(upcr_pshared_ptr_t sptr, upcr_phase_t phase) {
    return upcri_with_phase(sptr, phase);
}
UPCRI_STATIC void upcr_pshared_to_shared_ref_withphase(upcr_pshared_ptr_t sptr, upcr_phase_t phase,
                                                       upcr_shared_ptr_t *result) {
    *result = upcri_with_phase(sptr, phase);
}
/* Sets the phase to 0: a cast between block sizes. */
UPCRI_STATIC upcr_shared_ptr_t upcr_shared_resetphase(upcr_shared_ptr_t sptr) {
    return upcri_with_phase(upcri_drop_phase(sptr), 0);
}
UPCRI_STATIC void upcr_shared_resetphase_ref(upcr_shared_ptr_t *sptr) {
    *sptr = upcr_shared_resetphase(*sptr);
}

/* ---- Comparison: both null, or the same thread and address. Phases do not count. ---- */

UPCRI_STATIC int upcr_isequal_pshared_pshared(upcr_pshared_ptr_t p1, upcr_pshared_ptr_t p2) {
#ifdef UPCRI_POINTER_packed
    return p1 == p2;
#else
    return p1.s_addr == p2.s_addr && (p1.s_thread == p2.s_thread || p1.s_addr == 0);
#endif
}
UPCRI_STATIC int upcr_isequal_shared_shared(upcr_shared_ptr_t p1, upcr_shared_ptr_t p2) {
    return upcr_isequal_pshared_pshared(upcri_drop_phase(p1), upcri_drop_phase(p2));
}
UPCRI_STATIC int upcr_isequal_shared_pshared(upcr_shared_ptr_t p1, upcr_pshared_ptr_t p2) {
    return upcr_isequal_pshared_pshared(upcri_drop_phase(p1), p2);
}
UPCRI_STATIC int upcr_isequal_pshared_shared(upcr_pshared_ptr_t p1, upcr_shared_ptr_t p2) {
    return upcr_isequal_pshared_pshared(p1, upcri_drop_phase(p2));
}

/* ---- Affinity ---- */

/* Non-zero iff the object has affinity to `threadid`, or to the calling thread. Null: to thread 0. */
UPCRI_STATIC int upcr_hasAffinity_shared(upcr_shared_ptr_t sptr, upcr_thread_t threadid) {
    return upcri_thread_shared(sptr) == threadid;
}
UPCRI_STATIC int upcr_hasAffinity_pshared(upcr_pshared_ptr_t sptr, upcr_thread_t threadid) {
    return upcri_thread_pshared(sptr) == threadid;
}
UPCRI_STATIC int upcr_hasMyAffinity_shared(upcr_shared_ptr_t sptr) {
    return upcri_thread_shared(sptr) == upcri_mythread_;
}
UPCRI_STATIC int upcr_hasMyAffinity_pshared(upcr_pshared_ptr_t sptr) {
    return upcri_thread_pshared(sptr) == upcri_mythread_;
}
/* How many bytes of an object of `totalsize` bytes, distributed in blocks of `nbytes` bytes from thread 0 on,
 * that are on `threadid` (< THREADS). All of it on thread 0 when nbytes is 0 or at least totalsize. */
UPCRI_API size_t upcr_affinitysize(size_t totalsize, size_t nbytes, upcr_thread_t threadid);

/* ---- To and from local addresses ---- */

/* Out of line: without reserved addresses. 0 if the thread's segment is not mapped here. */
UPCRI_API void *upcri_address_of(uint64_t offset, upcr_thread_t thread) UPCRI_COLD;
#if UPCR_DEBUG
/* Fatal unless `p` may be turned into a local address: mine, or with `neighbours` mapped in this process. */
UPCRI_API void upcri_check_local(upcr_shared_ptr_t p, int neighbours, const char *function);
UPCRI_API void upcri_check_mine(const void *lptr, upcr_thread_t thread, const char *function);
#define UPCRI_CHECK_LOCAL(p, neighbours, function) upcri_check_local(p, neighbours, function)
#define UPCRI_CHECK_MINE(lptr, thread, function) upcri_check_mine(lptr, thread, function)
#else
#define UPCRI_CHECK_LOCAL(p, neighbours, function) ((void)0)
#define UPCRI_CHECK_MINE(lptr, thread, function) ((void)0)
#endif

/* The address here of an object that is mapped here; null for null. */
UPCRI_STATIC void *upcri_pshared_address(upcr_pshared_ptr_t p) {
#ifdef UPCRI_POINTER_packed
    const uint64_t q = p - upcri_window.first;
    if (p == 0) return NULL;
    if (UPCRI_LIKELY(q < upcri_window.span)) return (void *)(upcri_window.base + q);
    return upcri_address_of(upcri_offset_pshared(p), upcri_thread_pshared(p));
#else
    return p.s_addr == 0 ? NULL : (void *)(upcri_window.bases[p.s_thread] + p.s_addr);
#endif
}
/* The local address of an object with affinity to the calling thread; null for null. For an object of another
 * thread (debug: fatal) the result is that of the _processlocal forms. */
UPCRI_STATIC void *upcr_shared_to_local(upcr_shared_ptr_t sptr) {
    UPCRI_CHECK_LOCAL(sptr, 0, "upcr_shared_to_local");
    return upcri_pshared_address(upcri_drop_phase(sptr));
}
UPCRI_STATIC void *upcr_pshared_to_local(upcr_pshared_ptr_t sptr) {
    UPCRI_CHECK_LOCAL(upcri_with_phase(sptr, 0), 0, "upcr_pshared_to_local");
    return upcri_pshared_address(sptr);
}
/* The same for an object of any thread of this process or, with shared memory between processes, of this
 * host. */
UPCRI_STATIC void *upcr_shared_to_processlocal(upcr_shared_ptr_t sptr) {
    UPCRI_CHECK_LOCAL(sptr, 1, "upcr_shared_to_processlocal");
    return upcri_pshared_address(upcri_drop_phase(sptr));
}
UPCRI_STATIC void *upcr_pshared_to_processlocal(upcr_pshared_ptr_t sptr) {
    UPCRI_CHECK_LOCAL(upcri_with_phase(sptr, 0), 1, "upcr_pshared_to_processlocal");
    return upcri_pshared_address(sptr);
}

/* `lptr` is an address, valid here, in the segment of `threadid`. Null for NULL. */
UPCRI_STATIC upcr_shared_ptr_t upcr_local_to_shared_withphase(void *lptr, upcr_phase_t phase,
                                                              upcr_thread_t threadid) {
    UPCRI_CHECK_MINE(lptr, threadid, "upcr_local_to_shared_withphase");
    if (lptr == NULL) return upcri_make_shared(0, 0, 0);
    return upcri_make_shared((uintptr_t)lptr - upcri_window.bases[threadid], threadid, phase);
}
UPCRI_STATIC void upcr_local_to_shared_ref_withphase(void *lptr, upcr_phase_t phase, upcr_thread_t threadid,
                                                     upcr_shared_ptr_t *result) {
    *result = upcr_local_to_shared_withphase(lptr, phase, threadid);
}
/* `lptr` is in the calling thread's segment; the result names the same offset in that of `threadid`. */
UPCRI_STATIC upcr_shared_ptr_t upcr_mylocal_to_shared_withphase(void *lptr, upcr_phase_t phase,
                                                                upcr_thread_t threadid) {
    UPCRI_CHECK_MINE(lptr, upcri_mythread_, "upcr_mylocal_to_shared_withphase");
    if (lptr == NULL) return upcri_make_shared(0, 0, 0);
    return upcri_make_shared((uintptr_t)lptr - upcri_window.bases[upcri_mythread_], threadid, phase);
}
/* `lptr` is in the calling thread's segment (debug: fatal if not). Phase 0; null for NULL. */
UPCRI_STATIC upcr_shared_ptr_t upcr_local_to_shared(void *lptr) {
    return upcr_local_to_shared_withphase(lptr, 0, upcri_mythread_);
}
UPCRI_STATIC void upcr_local_to_shared_ref(void *lptr, upcr_shared_ptr_t *result) {
    *result = upcr_local_to_shared(lptr);
}
UPCRI_STATIC upcr_pshared_ptr_t upcr_local_to_pshared(void *lptr) {
    return upcri_drop_phase(upcr_local_to_shared(lptr));
}
UPCRI_STATIC void upcr_local_to_pshared_ref(void *lptr, upcr_pshared_ptr_t *result) {
    *result = upcr_local_to_pshared(lptr);
}
/* Non-zero iff both are null, or p1 has affinity to the calling thread and p2 is its local address. */
UPCRI_STATIC int upcr_isequal_pshared_local(upcr_pshared_ptr_t p1, void *p2) {
    if (p2 == NULL) return upcr_isnull_pshared(p1);
    return upcri_thread_pshared(p1) == upcri_mythread_ && upcri_pshared_address(p1) == p2;
}
UPCRI_STATIC int upcr_isequal_shared_local(upcr_shared_ptr_t p1, void *p2) {
    return upcr_isequal_pshared_local(upcri_drop_phase(p1), p2);
}

/* bupc_local_to_shared: `ptr` is an address, valid here, in the segment of `thread`; null for NULL. */
UPCRI_API upcr_shared_ptr_t _bupc_local_to_shared(void *ptr, int thread, int phase);
/* bupc_inverse_cast: the pointer-to-shared (phase 0) of a local address in any segment mapped here, else
 * null. */
UPCRI_API upcr_shared_ptr_t _bupc_inverse_cast(void *ptr);

/* ---- Castability (UPC 1.3, 7.8: upc_castable.h) ---- */

/* upc_cast: the local address of an object that is mapped here; NULL for null and for any other. The result
 * is for the calling process only. */
UPCRI_API void *upcr_cast(upcr_shared_ptr_t sptr);

/* Bits: the kinds of memory that can be cast. */
#ifndef UPC_CASTABLE_ALL
#define UPC_CASTABLE_ALL_ALLOC 1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC 4
#define UPC_CASTABLE_STATIC 8
#define UPC_CASTABLE_ALL 15
#endif
#ifndef UPCRI_THREAD_INFO_T
#define UPCRI_THREAD_INFO_T
typedef struct upc_thread_info_S {
    int guaranteedCastable;
    int probablyCastable;
} upc_thread_info_t;
#endif
/* The memory of thread `th` that the calling thread can cast (none if there is no such thread). */
UPCRI_API upc_thread_info_t upcr_thread_info(size_t th);

/* ---- Text ---- */

/* The least size of bupc_dump_shared()'s buffer. */
#ifndef BUPC_DUMP_MIN_LENGTH
#define BUPC_DUMP_MIN_LENGTH 100
#endif
/*
 * Writes "<NULL>" or "<address=0x... (addrfield=0x...), thread=N, phase=N>" with a terminating zero: the
 * address in the owner's process (0 when not known), the pointer's address part, thread and phase.
 * maxlen: size of buf in bytes, at least BUPC_DUMP_MIN_LENGTH; else -1 and errno is EINVAL. Returns 0.
 */
UPCRI_API int _bupc_dump_shared(upcr_shared_ptr_t ptr, char *buf, int maxlen);
UPCRI_API int upcri_dump_shared(upcr_shared_ptr_t ptr, char *buf, int maxlen);
/* The same text and a newline on stdout. */
UPCRI_API void upcri_print_shared(upcr_shared_ptr_t sptr);
UPCRI_API void upcri_print_pshared(upcr_pshared_ptr_t sptr);

UPCRI_END_C

#include "upcr/sptr_arith.h"

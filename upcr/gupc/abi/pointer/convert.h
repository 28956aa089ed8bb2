/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversion between a compiler's pointer-to-shared (pts.h) and upcr's. Offset v of the compiler, counted
 * from __upc_shared_start, is byte upcri_gupc_statics + v of the thread's segment; heap and locks follow.
 *
 *   gupc_checked    for accesses: (thread, offset in the segment), fatal if invalid
 *   gupc_to_upcr    for library calls: upcr's pointer-to-shared, with the phase; null is null
 *   gupc_from_upcr  for their results
 *
 * Any thread. The errors are in check.cpp, out of line.
 */
#pragma once
#include "upcr/gupc.h"
#include "upcr/gupc/abi/pointer/pts.h"
#include "upcr/sptr_rep.h"

UPCRI_BEGIN_C

/* Ends the job: an access of `bytes` bytes at p, or at that offset of that thread, is invalid. */
void upcri_gupc_refuse(upc_shared_ptr_t p, size_t bytes) UPCRI_NORETURN UPCRI_COLD;
void upcri_gupc_refuse_at(uint64_t thread, uint64_t offset, size_t bytes) UPCRI_NORETURN UPCRI_COLD;
/* Ends the job: `function` is called before start-up. */
void upcri_gupc_refuse_early(const char *function) UPCRI_NORETURN UPCRI_COLD;
/* Ends the job: p has no affinity to the calling thread, or is not mapped in its process. */
void upcri_gupc_refuse_cast(upc_shared_ptr_t p) UPCRI_NORETURN UPCRI_COLD;
/* Ends the job: inlined code needs a local address of p, which is not mapped in its process. */
void upcri_gupc_refuse_inlined(upc_shared_ptr_t p) UPCRI_NORETURN UPCRI_COLD;
/* Ends the job: this offset does not fit the compiler's address field. */
void upcri_gupc_refuse_width(uint64_t offset) UPCRI_NORETURN UPCRI_COLD;

/* Not 0: p is not null, its thread exists, and `bytes` bytes at it are shared memory (0: the address after
 * the last one is allowed). 0 before start-up, because upcri_gupc_reach is 0. */
UPCRI_STATIC int gupc_in_reach(upc_shared_ptr_t p, size_t bytes) {
    const uint64_t offset = gupc_offset(p), reach = upcri_gupc_reach;
    return !gupc_is_null(p) && gupc_thread(p) < upcri_window.threads && offset <= reach &&
           bytes <= reach - offset && (bytes != 0 || reach != 0);
}

/* The address of `bytes` bytes at p; fatal if there is no such memory. */
UPCRI_STATIC upcr_gmem_addr_t gupc_checked(upc_shared_ptr_t p, size_t bytes) {
    upcr_gmem_addr_t a;
    if (UPCRI_UNLIKELY(!gupc_in_reach(p, bytes))) upcri_gupc_refuse(p, bytes);
    a.thread = gupc_thread(p);
    a.offset = upcri_gupc_statics + gupc_offset(p);
    return a;
}

/* The same for the forms that pass thread and offset by themselves; both 0 is null. */
UPCRI_STATIC upcr_gmem_addr_t gupc_checked_at(uint64_t thread, uint64_t offset, size_t bytes) {
    const uint64_t reach = upcri_gupc_reach;
    upcr_gmem_addr_t a;
    if (UPCRI_UNLIKELY((thread | offset) == 0 || thread >= upcri_window.threads || offset > reach ||
                       bytes > reach - offset || (bytes == 0 && reach == 0)))
        upcri_gupc_refuse_at(thread, offset, bytes);
    a.thread = (upcr_thread_t)thread;
    a.offset = upcri_gupc_statics + offset;
    return a;
}

/* Fatal before start-up: for calls without a shared address. */
UPCRI_STATIC void gupc_need_runtime(const char *function) {
    if (UPCRI_UNLIKELY(upcri_gupc_reach == 0)) upcri_gupc_refuse_early(function);
}

/* p as upcr's pointer. Fatal if p is neither null nor the address of shared memory or the one after it. */
UPCRI_STATIC upcr_shared_ptr_t gupc_to_upcr(upc_shared_ptr_t p) {
    if (gupc_is_null(p)) return upcri_make_shared(0, 0, 0);
    const upcr_gmem_addr_t a = gupc_checked(p, 0);
    return upcri_make_shared(a.offset, a.thread, gupc_phase(p));
}

/* q as the compiler's pointer; q is null, or at or above upcri_gupc_statics, as all pointers of programs. */
UPCRI_STATIC upc_shared_ptr_t gupc_from_upcr(upcr_shared_ptr_t q) {
    const uint64_t offset = upcri_offset_shared(q) - upcri_gupc_statics;
    if (upcri_offset_shared(q) == 0) return gupc_null();
#ifdef GUPC_PTS_packed
    if (UPCRI_UNLIKELY(offset > upcri_gupc_format.address_mask)) upcri_gupc_refuse_width(offset);
#endif
    return gupc_make(offset, upcri_thread_shared(q), upcri_phase_shared(q));
}

UPCRI_END_C

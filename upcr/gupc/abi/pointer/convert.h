/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Between a compiler's pointer-to-shared (pts.h) and what libupcr takes. Offset v of the compiler, counted
 * from __upc_shared_start, is byte upcri_gupc_statics + v of the thread's segment: heap and locks lie above.
 *
 *   gupc_checked    for accesses: (thread, offset in the segment), or the end of the job
 *   gupc_to_upcr    for library calls: upcr's pointer-to-shared, phase kept; null is null
 *   gupc_from_upcr  for their results
 *
 * Any thread. The errors are in check.cpp, out of line, worded as programs of these compilers know them.
 */
#pragma once
#include "upcr/gupc.h"
#include "upcr/gupc/abi/pointer/pts.h"
#include "upcr/sptr_rep.h"

UPCRI_BEGIN_C

/* Ends the job: why `bytes` bytes at p, or at that offset of that thread, are no access. */
void upcri_gupc_refuse(upc_shared_ptr_t p, size_t bytes) UPCRI_NORETURN UPCRI_COLD;
void upcri_gupc_refuse_at(uint64_t thread, uint64_t offset, size_t bytes) UPCRI_NORETURN UPCRI_COLD;
/* Ends the job: `function` is called while no runtime is there. */
void upcri_gupc_refuse_early(const char *function) UPCRI_NORETURN UPCRI_COLD;
/* Ends the job: p has no affinity to the calling thread, or is not mapped in its process. */
void upcri_gupc_refuse_cast(upc_shared_ptr_t p) UPCRI_NORETURN UPCRI_COLD;
/* Ends the job: inlined code needs a local address of p, which is not mapped in its process. */
void upcri_gupc_refuse_inlined(upc_shared_ptr_t p) UPCRI_NORETURN UPCRI_COLD;
/* Ends the job: an object at this offset is out of reach of the compiler's address field. */
void upcri_gupc_refuse_width(uint64_t offset) UPCRI_NORETURN UPCRI_COLD;

/* Not 0: p is not null, its thread exists, and `bytes` bytes at it are shared memory (0: the address after
 * the last one will do). Before start-up nothing is, because upcri_gupc_reach is 0. */
UPCRI_STATIC int gupc_in_reach(upc_shared_ptr_t p, size_t bytes) {
    const uint64_t offset = gupc_offset(p), reach = upcri_gupc_reach;
    return !gupc_is_null(p) && gupc_thread(p) < upcri_window.threads && offset <= reach &&
           bytes <= reach - offset && (bytes != 0 || reach != 0);
}

/* Where `bytes` bytes at p are; fatal where there is no such memory. */
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

/* Fatal before start-up: for calls that name no shared address. */
UPCRI_STATIC void gupc_need_runtime(const char *function) {
    if (UPCRI_UNLIKELY(upcri_gupc_reach == 0)) upcri_gupc_refuse_early(function);
}

/* p as upcr has it. Fatal where p is neither null nor the address of, or the one after, shared memory. */
UPCRI_STATIC upcr_shared_ptr_t gupc_to_upcr(upc_shared_ptr_t p) {
    if (gupc_is_null(p)) return upcri_make_shared(0, 0, 0);
    const upcr_gmem_addr_t a = gupc_checked(p, 0);
    return upcri_make_shared(a.offset, a.thread, gupc_phase(p));
}

/* q (null, or at or above upcri_gupc_statics: all that programs get hold of) as the compiler has it. */
UPCRI_STATIC upc_shared_ptr_t gupc_from_upcr(upcr_shared_ptr_t q) {
    const uint64_t offset = upcri_offset_shared(q) - upcri_gupc_statics;
    if (upcri_offset_shared(q) == 0) return gupc_null();
#ifdef GUPC_PTS_packed
    if (UPCRI_UNLIKELY(offset > upcri_gupc_format.address_mask)) upcri_gupc_refuse_width(offset);
#endif
    return gupc_make(offset, upcri_thread_shared(q), upcri_phase_shared(q));
}

UPCRI_END_C

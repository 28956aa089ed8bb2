/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic on pointers-to-shared: add, inc (in place) and sub (specification 3.5, "Shared pointer
 * increments/decrements" and "comparison and subtraction"). Included by sptr.h. Any thread.
 *
 *   elemsz      bytes of an element, > 0; a constant in translated code
 *   inc         elements, of either sign
 *   blockelems  elements of a block, > 0; a constant in translated code
 *
 * `shared` is for block sizes above 1, `pshared1` for block size 1, `psharedI` for the indefinite one.
 * Debug builds stop on a zero elemsz or blockelems, on an address that leaves the address field, and on the
 * subtraction of unrelated pointers.
 */
#pragma once
#include "upcr/sptr_rep.h"

UPCRI_BEGIN_C

#if UPCR_DEBUG
/* `blockelems`: 0 for the indefinite block size. */
UPCRI_API void upcri_check_add(upcr_shared_ptr_t p, int64_t bytes, size_t elemsz, ptrdiff_t inc,
                               size_t blockelems, const char *function);
UPCRI_API void upcri_check_sub(upcr_shared_ptr_t p1, upcr_shared_ptr_t p2, size_t elemsz, size_t blockelems,
                               const char *function);
/* Before any division. */
UPCRI_API void upcri_check_shape(upcr_shared_ptr_t p, size_t elemsz, size_t blockelems, const char *function);
#define UPCRI_CHECK_ADD(p, bytes, elemsz, inc, blockelems, function) \
    upcri_check_add(p, bytes, elemsz, inc, blockelems, function)
#define UPCRI_CHECK_SUB(p1, p2, elemsz, blockelems, function) \
    upcri_check_sub(p1, p2, elemsz, blockelems, function)
#define UPCRI_CHECK_SHAPE(p, elemsz, blockelems, function) upcri_check_shape(p, elemsz, blockelems, function)
#else
#define UPCRI_CHECK_ADD(p, bytes, elemsz, inc, blockelems, function) ((void)0)
#define UPCRI_CHECK_SUB(p1, p2, elemsz, blockelems, function) ((void)0)
#define UPCRI_CHECK_SHAPE(p, elemsz, blockelems, function) ((void)0)
#endif

/* The same out of line, correct for any step: for those that upcri_rounds() refuses. */
UPCRI_API upcr_shared_ptr_t upcri_add_shared_far(upcr_shared_ptr_t sptr, size_t elemsz, ptrdiff_t inc,
                                                 size_t blockelems) UPCRI_COLD;
UPCRI_API upcr_pshared_ptr_t upcri_add_pshared1_far(upcr_pshared_ptr_t sptr, size_t elemsz,
                                                    ptrdiff_t inc) UPCRI_COLD;

/* The step, given its blocks and rounds. */
UPCRI_STATIC upcr_shared_ptr_t upcri_step_shared(upcr_shared_ptr_t sptr, size_t elemsz, ptrdiff_t inc,
                                                 size_t blockelems, int64_t blocks, int64_t rounds) {
    UPCRI_CHECK_ADD(sptr, (inc + (rounds - blocks) * (int64_t)blockelems) * (int64_t)elemsz, elemsz, inc,
                    blockelems, "upcr_add_shared");
    return upcri_move_blocks(sptr, elemsz, inc, blockelems, blocks, rounds);
}
UPCRI_STATIC upcr_pshared_ptr_t upcri_step_pshared1(upcr_pshared_ptr_t sptr, size_t elemsz, ptrdiff_t inc,
                                                    int64_t rounds) {
    UPCRI_CHECK_ADD(upcri_with_phase(sptr, 0), rounds * (int64_t)elemsz, elemsz, inc, 1, "upcr_add_pshared1");
    return upcri_move_rounds(sptr, elemsz, inc, rounds);
}

/*
 * Block-cyclic order: `blocks` whole blocks further (floor, so that the new phase is never negative), each
 * on the next thread; after the last thread the first again, one block of addresses further.
 */
UPCRI_STATIC upcr_shared_ptr_t upcr_add_shared(upcr_shared_ptr_t sptr, size_t elemsz, ptrdiff_t inc,
                                               size_t blockelems) {
    const int64_t there = (int64_t)upcri_phase_shared(sptr) + inc;
    int64_t blocks, rounds;
    UPCRI_CHECK_SHAPE(sptr, elemsz, blockelems, "upcr_add_shared");
    if (UPCRI_LIKELY((uint64_t)there < blockelems)) { /* inside the block */
        UPCRI_CHECK_ADD(sptr, inc * (int64_t)elemsz, elemsz, inc, blockelems, "upcr_add_shared");
        return upcri_move_shared(sptr, inc * (int64_t)elemsz, 0, inc);
    }
    if (__builtin_constant_p(inc) && (inc == 1 || inc == -1))
        blocks = inc; /* from the last element of a block to the first of the next, or back */
    else
        blocks = upcri_floor_div(there, (int64_t)blockelems);
    if (!upcri_rounds(upcri_thread_shared(sptr), blocks, &rounds))
        return upcri_add_shared_far(sptr, elemsz, inc, blockelems);
    return upcri_step_shared(sptr, elemsz, inc, blockelems, blocks, rounds);
}
UPCRI_STATIC void upcr_inc_shared(upcr_shared_ptr_t *psptr, size_t elemsz, ptrdiff_t inc, size_t blockelems) {
    *psptr = upcr_add_shared(*psptr, elemsz, inc, blockelems);
}

/* Indefinite block size: the thread stays. */
UPCRI_STATIC upcr_pshared_ptr_t upcr_add_psharedI(upcr_pshared_ptr_t sptr, size_t elemsz, ptrdiff_t inc) {
    const int64_t bytes = inc * (int64_t)elemsz;
    UPCRI_CHECK_ADD(upcri_with_phase(sptr, 0), bytes, elemsz, inc, 0, "upcr_add_psharedI");
    return upcri_move_pshared(sptr, bytes, 0);
}
UPCRI_STATIC void upcr_inc_psharedI(upcr_pshared_ptr_t *psptr, size_t elemsz, ptrdiff_t inc) {
    *psptr = upcr_add_psharedI(*psptr, elemsz, inc);
}

/* Cyclic: each element on the next thread. */
UPCRI_STATIC upcr_pshared_ptr_t upcr_add_pshared1(upcr_pshared_ptr_t sptr, size_t elemsz, ptrdiff_t inc) {
    int64_t rounds;
    if (!upcri_rounds(upcri_thread_pshared(sptr), inc, &rounds))
        return upcri_add_pshared1_far(sptr, elemsz, inc);
    return upcri_step_pshared1(sptr, elemsz, inc, rounds);
}
UPCRI_STATIC void upcr_inc_pshared1(upcr_pshared_ptr_t *psptr, size_t elemsz, ptrdiff_t inc) {
    *psptr = upcr_add_pshared1(*psptr, elemsz, inc);
}

/*
 * p1 - p2 in elements: the number that must be added to p2 to get p1; 0 iff they are equal. Fatal in debug
 * when no such number exists.
 */
UPCRI_STATIC ptrdiff_t upcr_sub_shared(upcr_shared_ptr_t p1, upcr_shared_ptr_t p2, size_t elemsz,
                                       size_t blockelems) {
    const int64_t bytes = (int64_t)(upcri_offset_shared(p1) - upcri_offset_shared(p2));
    const int64_t phases = (int64_t)upcri_phase_shared(p1) - (int64_t)upcri_phase_shared(p2);
    const int64_t threads = (int64_t)upcri_thread_shared(p1) - (int64_t)upcri_thread_shared(p2);
    UPCRI_CHECK_SUB(p1, p2, elemsz, blockelems, "upcr_sub_shared");
    return (bytes / (int64_t)elemsz - phases) * (int64_t)UPCRI_THREADS + threads * (int64_t)blockelems +
           phases;
}
UPCRI_STATIC ptrdiff_t upcr_sub_psharedI(upcr_pshared_ptr_t p1, upcr_pshared_ptr_t p2, size_t elemsz) {
    const int64_t bytes = (int64_t)(upcri_offset_pshared(p1) - upcri_offset_pshared(p2));
    UPCRI_CHECK_SUB(upcri_with_phase(p1, 0), upcri_with_phase(p2, 0), elemsz, 0, "upcr_sub_psharedI");
    return bytes / (int64_t)elemsz;
}
UPCRI_STATIC ptrdiff_t upcr_sub_pshared1(upcr_pshared_ptr_t p1, upcr_pshared_ptr_t p2, size_t elemsz) {
    const int64_t bytes = (int64_t)(upcri_offset_pshared(p1) - upcri_offset_pshared(p2));
    const int64_t threads = (int64_t)upcri_thread_pshared(p1) - (int64_t)upcri_thread_pshared(p2);
    UPCRI_CHECK_SUB(upcri_with_phase(p1, 0), upcri_with_phase(p2, 0), elemsz, 1, "upcr_sub_pshared1");
    return bytes / (int64_t)elemsz * (int64_t)UPCRI_THREADS + threads;
}

/* bupc_ptradd: p plus `elemincr` elements with a block size known at run time; 0 is the indefinite one. */
UPCRI_STATIC upcr_shared_ptr_t _bupc_ptradd(upcr_shared_ptr_t p, size_t blockelems, size_t elemsz,
                                            ptrdiff_t elemincr) {
    if (blockelems == 0) return upcri_with_phase(upcr_add_psharedI(upcri_drop_phase(p), elemsz, elemincr), 0);
    if (blockelems == 1) return upcri_with_phase(upcr_add_pshared1(upcri_drop_phase(p), elemsz, elemincr), 0);
    return upcr_add_shared(p, elemsz, elemincr, blockelems);
}

UPCRI_END_C

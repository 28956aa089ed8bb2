/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls with events that include/calls.txt cannot describe: several events for a call, events of several
 * objects, functions that a macro makes. instrument/calls.h has the macros that replace the calls.
 */
#pragma once
#include "upcr/barrier.h"
#include "upcr/coll.h"
#include "upcr/coll_reduce.h"
#include "upcr/instrument/span.h"
#include "upcr/static_data.h"

UPCRI_BEGIN_C

/* Whether a barrier has a name, as its events say. */
UPCRI_STATIC int upcri_inst_named(int flags) { return (flags & UPCR_BARRIERFLAG_ANONYMOUS) == 0; }
/* Reported only when it completes the phase, so that each notify has one wait. */
UPCRI_STATIC int upcri_inst_upcr_try_wait(struct upcri_inst at, int barrierval, int flags) {
    if (!(upcr_try_wait)(barrierval, flags)) return 0;
    UPCRI_SPAN(GASP_UPC_WAIT, (void)0, upcri_inst_named(flags), barrierval);
    return 1;
}
/* A barrier is a notify and a wait; for statistics one wait. */
UPCRI_STATIC void upcri_inst_upcr_barrier(struct upcri_inst at, int barrierval, int flags) {
#if defined(UPCR_STATS) && UPCR_STATS
    UPCRI_SPAN(GASP_UPC_WAIT, (upcr_barrier)(barrierval, flags), upcri_inst_named(flags), barrierval);
    return;
#endif
    UPCRI_SPAN(GASP_UPC_NOTIFY, (upcr_notify)(barrierval, flags), upcri_inst_named(flags), barrierval);
    UPCRI_SPAN(GASP_UPC_WAIT, (upcr_wait)(barrierval, flags), upcri_inst_named(flags), barrierval);
}

/* One event for each object; the same for both kinds of pointers. */
#define UPCRI_INST_STATIC_SHARED(function, info_type, first_element)                                       \
    UPCRI_STATIC void upcri_inst_##function(struct upcri_inst at, info_type *infos, size_t count) {        \
        (function)(infos, count);                                                                          \
        for (size_t i = 0; i < count; ++i) {                                                               \
            const upcr_shared_ptr_t p = first_element;                                                     \
            UPCRI_EVENT(GASP_BUPC_STATIC_SHARED, GASP_ATOMIC, &p, infos[i].blockbytes, infos[i].numblocks, \
                        infos[i].mult_by_threads, infos[i].elemsz, infos[i].namestr, infos[i].typestr);    \
        }                                                                                                  \
    }
UPCRI_INST_STATIC_SHARED(upcr_startup_shalloc, upcr_startup_shalloc_t, *infos[i].sptr_addr)
UPCRI_INST_STATIC_SHARED(upcr_startup_pshalloc, upcr_startup_pshalloc_t,
                         upcr_pshared_to_shared(*infos[i].psptr_addr))
#undef UPCRI_INST_STATIC_SHARED

UPCRI_STATIC void upcri_inst_bupc_all_permute(struct upcri_inst at, upcr_shared_ptr_t dst,
                                              upcr_shared_ptr_t src, upcr_pshared_ptr_t perm, size_t nbytes,
                                              int flags) {
    const upcr_shared_ptr_t p = upcr_pshared_to_shared(perm);
    UPCRI_SPAN(GASP_UPC_ALL_PERMUTE, (bupc_all_permute)(dst, src, perm, nbytes, flags), &dst, &src, &p,
               nbytes, flags);
}
/* Three functions for each type. A reduction to all threads is reported as a reduction. */
#define UPCRI_INST_REDUCE(name, tag, CODE, TYPE)                                                            \
    UPCRI_STATIC void upcri_inst_##name(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, \
                                        unsigned long long op, size_t nelems, size_t blk_size,              \
                                        TYPE (*func)(TYPE, TYPE), int flags) {                              \
        UPCRI_SPAN(tag, (name)(dst, src, op, nelems, blk_size, func, flags), &dst, &src, op, nelems,        \
                   blk_size, (void *)(uintptr_t)func, flags, CODE);                                         \
    }
#define UPCRI_INST_REDUCES(T, TYPE)                                                              \
    UPCRI_INST_REDUCE(bupc_all_reduce##T, GASP_UPC_ALL_REDUCE, GASP_UPC_REDUCTION_##T, TYPE)     \
    UPCRI_INST_REDUCE(bupc_all_reduce_all##T, GASP_UPC_ALL_REDUCE, GASP_UPC_REDUCTION_##T, TYPE) \
    UPCRI_INST_REDUCE(bupc_all_prefix_reduce##T, GASP_UPC_ALL_PREFIX_REDUCE, GASP_UPC_REDUCTION_##T, TYPE)
UPCRI_REDUCE_TYPES(UPCRI_INST_REDUCES)
#undef UPCRI_INST_REDUCES
#undef UPCRI_INST_REDUCE

UPCRI_END_C

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives (coll.h, coll_reduce.h). A reduction to all threads is reported as a reduction.
 */
#pragma once
#include "upcr/coll.h"
#include "upcr/coll_reduce.h"
#include "upcr/instrument/span.h"

UPCRI_BEGIN_C

UPCRI_STATIC void upcri_inst_bupc_all_broadcast(struct upcri_inst at, upcr_shared_ptr_t dst,
                                                upcr_shared_ptr_t src, size_t n, int flags) {
    UPCRI_SPAN(GASP_UPC_ALL_BROADCAST, (bupc_all_broadcast)(dst, src, n, flags), &dst, &src, n, flags);
}
UPCRI_STATIC void upcri_inst_bupc_all_scatter(struct upcri_inst at, upcr_shared_ptr_t dst,
                                              upcr_shared_ptr_t src, size_t n, int flags) {
    UPCRI_SPAN(GASP_UPC_ALL_SCATTER, (bupc_all_scatter)(dst, src, n, flags), &dst, &src, n, flags);
}
UPCRI_STATIC void upcri_inst_bupc_all_gather(struct upcri_inst at, upcr_shared_ptr_t dst,
                                             upcr_shared_ptr_t src, size_t n, int flags) {
    UPCRI_SPAN(GASP_UPC_ALL_GATHER, (bupc_all_gather)(dst, src, n, flags), &dst, &src, n, flags);
}
UPCRI_STATIC void upcri_inst_bupc_all_gather_all(struct upcri_inst at, upcr_shared_ptr_t dst,
                                                 upcr_shared_ptr_t src, size_t n, int flags) {
    UPCRI_SPAN(GASP_UPC_ALL_GATHER_ALL, (bupc_all_gather_all)(dst, src, n, flags), &dst, &src, n, flags);
}
UPCRI_STATIC void upcri_inst_bupc_all_exchange(struct upcri_inst at, upcr_shared_ptr_t dst,
                                               upcr_shared_ptr_t src, size_t n, int flags) {
    UPCRI_SPAN(GASP_UPC_ALL_EXCHANGE, (bupc_all_exchange)(dst, src, n, flags), &dst, &src, n, flags);
}
UPCRI_STATIC void upcri_inst_bupc_all_permute(struct upcri_inst at, upcr_shared_ptr_t dst,
                                              upcr_shared_ptr_t src, upcr_pshared_ptr_t perm, size_t n,
                                              int flags) {
    const upcr_shared_ptr_t p = upcr_pshared_to_shared(perm);
    UPCRI_SPAN(GASP_UPC_ALL_PERMUTE, (bupc_all_permute)(dst, src, perm, n, flags), &dst, &src, &p, n, flags);
}

/* For each type: the same three functions. */
#define UPCRI_INST_REDUCE(name, tag, T, TYPE)                                                               \
    UPCRI_STATIC void upcri_inst_##name(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, \
                                        unsigned long long op, size_t nelems, size_t blk_size,              \
                                        TYPE (*func)(TYPE, TYPE), int flags) {                              \
        UPCRI_SPAN(tag, (name)(dst, src, op, nelems, blk_size, func, flags), &dst, &src, op, nelems,        \
                   blk_size, (void *)(uintptr_t)func, flags, GASP_UPC_REDUCTION_##T);                       \
    }
#define UPCRI_INST_REDUCES(T, TYPE)                                         \
    UPCRI_INST_REDUCE(bupc_all_reduce##T, GASP_UPC_ALL_REDUCE, T, TYPE)     \
    UPCRI_INST_REDUCE(bupc_all_reduce_all##T, GASP_UPC_ALL_REDUCE, T, TYPE) \
    UPCRI_INST_REDUCE(bupc_all_prefix_reduce##T, GASP_UPC_ALL_PREFIX_REDUCE, T, TYPE)
UPCRI_REDUCE_TYPES(UPCRI_INST_REDUCES)
#undef UPCRI_INST_REDUCES
#undef UPCRI_INST_REDUCE

UPCRI_END_C

#undef bupc_all_broadcast
#define bupc_all_broadcast(...) upcri_inst_bupc_all_broadcast(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_scatter
#define bupc_all_scatter(...) upcri_inst_bupc_all_scatter(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_gather
#define bupc_all_gather(...) upcri_inst_bupc_all_gather(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_gather_all
#define bupc_all_gather_all(...) upcri_inst_bupc_all_gather_all(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_exchange
#define bupc_all_exchange(...) upcri_inst_bupc_all_exchange(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_permute
#define bupc_all_permute(...) upcri_inst_bupc_all_permute(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceC
#define bupc_all_reduceC(...) upcri_inst_bupc_all_reduceC(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceUC
#define bupc_all_reduceUC(...) upcri_inst_bupc_all_reduceUC(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceS
#define bupc_all_reduceS(...) upcri_inst_bupc_all_reduceS(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceUS
#define bupc_all_reduceUS(...) upcri_inst_bupc_all_reduceUS(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceI
#define bupc_all_reduceI(...) upcri_inst_bupc_all_reduceI(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceUI
#define bupc_all_reduceUI(...) upcri_inst_bupc_all_reduceUI(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceL
#define bupc_all_reduceL(...) upcri_inst_bupc_all_reduceL(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceUL
#define bupc_all_reduceUL(...) upcri_inst_bupc_all_reduceUL(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceF
#define bupc_all_reduceF(...) upcri_inst_bupc_all_reduceF(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceD
#define bupc_all_reduceD(...) upcri_inst_bupc_all_reduceD(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduceLD
#define bupc_all_reduceLD(...) upcri_inst_bupc_all_reduceLD(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allC
#define bupc_all_reduce_allC(...) upcri_inst_bupc_all_reduce_allC(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allUC
#define bupc_all_reduce_allUC(...) upcri_inst_bupc_all_reduce_allUC(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allS
#define bupc_all_reduce_allS(...) upcri_inst_bupc_all_reduce_allS(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allUS
#define bupc_all_reduce_allUS(...) upcri_inst_bupc_all_reduce_allUS(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allI
#define bupc_all_reduce_allI(...) upcri_inst_bupc_all_reduce_allI(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allUI
#define bupc_all_reduce_allUI(...) upcri_inst_bupc_all_reduce_allUI(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allL
#define bupc_all_reduce_allL(...) upcri_inst_bupc_all_reduce_allL(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allUL
#define bupc_all_reduce_allUL(...) upcri_inst_bupc_all_reduce_allUL(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allF
#define bupc_all_reduce_allF(...) upcri_inst_bupc_all_reduce_allF(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allD
#define bupc_all_reduce_allD(...) upcri_inst_bupc_all_reduce_allD(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_reduce_allLD
#define bupc_all_reduce_allLD(...) upcri_inst_bupc_all_reduce_allLD(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceC
#define bupc_all_prefix_reduceC(...) upcri_inst_bupc_all_prefix_reduceC(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceUC
#define bupc_all_prefix_reduceUC(...) upcri_inst_bupc_all_prefix_reduceUC(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceS
#define bupc_all_prefix_reduceS(...) upcri_inst_bupc_all_prefix_reduceS(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceUS
#define bupc_all_prefix_reduceUS(...) upcri_inst_bupc_all_prefix_reduceUS(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceI
#define bupc_all_prefix_reduceI(...) upcri_inst_bupc_all_prefix_reduceI(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceUI
#define bupc_all_prefix_reduceUI(...) upcri_inst_bupc_all_prefix_reduceUI(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceL
#define bupc_all_prefix_reduceL(...) upcri_inst_bupc_all_prefix_reduceL(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceUL
#define bupc_all_prefix_reduceUL(...) upcri_inst_bupc_all_prefix_reduceUL(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceF
#define bupc_all_prefix_reduceF(...) upcri_inst_bupc_all_prefix_reduceF(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceD
#define bupc_all_prefix_reduceD(...) upcri_inst_bupc_all_prefix_reduceD(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_all_prefix_reduceLD
#define bupc_all_prefix_reduceLD(...) upcri_inst_bupc_all_prefix_reduceLD(UPCRI_INST_HERE, __VA_ARGS__)

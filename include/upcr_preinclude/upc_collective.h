/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upc_collective.h> of UPC 1.3 (7.4): collectives. UPC source: a front end reads it. Included by C it is
 * upcr.h, which has the same names.
 */
#ifndef UPCRI_PREINCLUDE_UPC_COLLECTIVE_H
#define UPCRI_PREINCLUDE_UPC_COLLECTIVE_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stddef.h>
#include <upc_types.h>
#include <upc_collective_bits.h>

#ifndef __UPC_COLLECTIVE__
#define __UPC_COLLECTIVE__ 1
#endif

/*
 * Data movement (7.4.2): blocks of nbytes, dst and src do not overlap. Translated code calls the bupc_ names.
 *   broadcast   src to the block of dst on every thread
 *   scatter     block i of src to thread i
 *   gather      the block of thread i to block i of dst
 *   gather_all  the same to every thread
 *   exchange    block j of thread i to block i of thread j
 *   permute     the block of thread i to thread perm[i]
 */
#define upc_all_broadcast bupc_all_broadcast
#define upc_all_scatter bupc_all_scatter
#define upc_all_gather bupc_all_gather
#define upc_all_gather_all bupc_all_gather_all
#define upc_all_exchange bupc_all_exchange
#define upc_all_permute bupc_all_permute
extern void bupc_all_broadcast(shared void *restrict __dst, shared const void *restrict __src,
                               size_t __nbytes, upc_flag_t __flags);
extern void bupc_all_scatter(shared void *restrict __dst, shared const void *restrict __src, size_t __nbytes,
                             upc_flag_t __flags);
extern void bupc_all_gather(shared void *restrict __dst, shared const void *restrict __src, size_t __nbytes,
                            upc_flag_t __flags);
extern void bupc_all_gather_all(shared void *restrict __dst, shared const void *restrict __src,
                                size_t __nbytes, upc_flag_t __flags);
extern void bupc_all_exchange(shared void *restrict __dst, shared const void *restrict __src, size_t __nbytes,
                              upc_flag_t __flags);
extern void bupc_all_permute(shared void *restrict __dst, shared const void *restrict __src,
                             shared const int *restrict __perm, size_t __nbytes, upc_flag_t __flags);

/*
 * Reductions (7.4.3) of nelems elements in blocks of blk_size (0: all on one thread), with `op`, or with
 * `func` when op is UPC_FUNC or UPC_NONCOMM_FUNC. T is one of C UC S US I UI L UL F D LD:
 *   upc_all_reduceT         the result at dst
 *   upc_all_prefix_reduceT  element i of dst is the result of elements 0 to i of src
 *   upc_all_reduce_allT     the result on every thread, at the same address field as dst; not of UPC 1.3
 */
#define BUPC_DECLARE_REDUCE_(NAME, TYPE)                                                            \
    extern void NAME(shared void *restrict __dst, shared const void *restrict __src, upc_op_t __op, \
                     size_t __nelems, size_t __blk_size, TYPE (*__func)(TYPE, TYPE), upc_flag_t __flags);
#define BUPC_DECLARE_REDUCTIONS_(T, TYPE)                 \
    BUPC_DECLARE_REDUCE_(bupc_all_reduce##T, TYPE)        \
    BUPC_DECLARE_REDUCE_(bupc_all_prefix_reduce##T, TYPE) \
    BUPC_DECLARE_REDUCE_(bupc_all_reduce_all##T, TYPE)
BUPC_DECLARE_REDUCTIONS_(C, signed char)
BUPC_DECLARE_REDUCTIONS_(UC, unsigned char)
BUPC_DECLARE_REDUCTIONS_(S, short)
BUPC_DECLARE_REDUCTIONS_(US, unsigned short)
BUPC_DECLARE_REDUCTIONS_(I, int)
BUPC_DECLARE_REDUCTIONS_(UI, unsigned int)
BUPC_DECLARE_REDUCTIONS_(L, long)
BUPC_DECLARE_REDUCTIONS_(UL, unsigned long)
BUPC_DECLARE_REDUCTIONS_(F, float)
BUPC_DECLARE_REDUCTIONS_(D, double)
BUPC_DECLARE_REDUCTIONS_(LD, long double)
#include <upc_collective_names.h>
#undef BUPC_DECLARE_REDUCE_
#undef BUPC_DECLARE_REDUCTIONS_

/* Sorts in place, ascending by func(a, b) as for qsort(); equal elements may change their order. Not of
 * UPC 1.3. */
#define upc_all_sort bupc_all_sort
extern void bupc_all_sort(shared void *__array, size_t __elem_size, size_t __nelems, size_t __blk_size,
                          int (*__func)(shared void *, shared void *), upc_flag_t __flags);

#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions, prefix reductions and sorting of shared arrays (UPC 1.3 7.4.3; bupc_all_reduce_allT is
 * Berkeley UPC's, upc_all_sort is of the UPC Collective Operations 1.0). For T and TYPE of each row of
 * UPCRI_REDUCE_TYPES:
 *
 *   void bupc_all_reduceT(dst, src, op, nelems, blk_size, func, flags)          *dst = src[0] @ src[1] @ ...
 *   void bupc_all_reduce_allT(dst, src, op, nelems, blk_size, func, flags)      the same on every thread
 *   void bupc_all_prefix_reduceT(dst, src, op, nelems, blk_size, func, flags)   dst[i] = src[0] @ ... @
 *                                                                               src[i]
 *
 *   dst       reduce: one TYPE of any thread. reduce_all: its affinity is to thread 0; the result is stored
 *             there and at the same address of every other thread (`shared [1] TYPE[THREADS]`). prefix:
 *             an array of the same shape as src, at the same thread and phase
 *   src       `shared [blk_size] TYPE[nelems]`, from any thread and phase; must not overlap dst
 *   op        UPC_ADD MULT AND OR XOR LOGAND LOGOR MIN MAX, UPC_FUNC or UPC_NONCOMM_FUNC; associative.
 *             No AND, OR, XOR on floating types
 *   nelems    elements; 0: nothing is stored, threads synchronise as the flags say
 *   blk_size  elements of a block; 0: all on the thread of src (`shared [] TYPE[nelems]`)
 *   func      TYPE (*)(TYPE, TYPE), used by the last two operations, else ignored. UPC_NONCOMM_FUNC is
 *             applied to neighbours in the order of the elements only. Called on any thread, any number of
 *             times, inside the collective: it must not be collective itself
 *   flags     one of UPC_IN_{ALL,MY,NO}SYNC | one of UPC_OUT_{ALL,MY,NO}SYNC; 0: ALLSYNC at that end
 *
 * Each thread accesses its own memory only, so MYSYNC costs nothing; with UPC_OUT_MYSYNC or
 * NOSYNC a thread returns as soon as its part is done. The order in which floating-point operands are
 * combined depends on THREADS, the shape and UPCR_COLL_*, on nothing else: equal runs give equal bits.
 * Integers wrap.
 *
 * Collective: all UPC threads, with equal arguments (func: the same function); not between upcr_notify() and
 * upcr_wait(); not from an AM handler. An operation that does not exist is fatal; in debug builds so is
 * every other breach of the above.
 */
#pragma once
#include "upcr/encoding.h"
#include "upcr/sptr.h"

UPCRI_BEGIN_C

/* T of the names, TYPE. The order is that of the codes below. */
/* clang-format off */
#define UPCRI_REDUCE_TYPES(row)                                      \
    row(C, signed char) row(UC, unsigned char)                       \
    row(S, short) row(US, unsigned short)                            \
    row(I, int) row(UI, unsigned int)                                \
    row(L, long) row(UL, unsigned long)                              \
    row(F, float) row(D, double) row(LD, long double)
/* clang-format on */

#define UPCRI_REDUCE_CODE(T, TYPE) UPCRI_TYPE_##T,
enum upcri_reduce_type { UPCRI_REDUCE_TYPES(UPCRI_REDUCE_CODE) UPCRI_REDUCE_TYPE_COUNT };
#undef UPCRI_REDUCE_CODE

enum upcri_reduce_kind { UPCRI_REDUCE, UPCRI_REDUCE_ALL, UPCRI_PREFIX_REDUCE };

/* All of the above; op and flags in the values of UPC 1.3. */
UPCRI_API void upcri_reduce(enum upcri_reduce_kind kind, enum upcri_reduce_type type, upcr_shared_ptr_t dst,
                            upcr_shared_ptr_t src, unsigned long long op, size_t nelems, size_t blk_size,
                            void (*func)(void), int flags);

#if UPCRI_ENCODING == 0
#define UPCRI_REDUCE_FUNCTION(name, kind, CODE, TYPE)                                                       \
    UPCRI_API void name(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, unsigned long long op, size_t nelems, \
                        size_t blk_size, TYPE (*func)(TYPE, TYPE), int flags);
#else /* files of older translators: the same names, static */
#define UPCRI_REDUCE_FUNCTION(name, kind, CODE, TYPE)                                                 \
    UPCRI_STATIC void name(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, unsigned long long op,       \
                           size_t nelems, size_t blk_size, TYPE (*func)(TYPE, TYPE), int flags) {     \
        upcri_reduce(kind, CODE, dst, src, upcri_coll_op(op), nelems, blk_size, (void (*)(void))func, \
                     upcri_coll_flags(flags));                                                        \
    }
#endif
#define UPCRI_REDUCE_FUNCTIONS(T, TYPE)                                                   \
    UPCRI_REDUCE_FUNCTION(bupc_all_reduce##T, UPCRI_REDUCE, UPCRI_TYPE_##T, TYPE)         \
    UPCRI_REDUCE_FUNCTION(bupc_all_reduce_all##T, UPCRI_REDUCE_ALL, UPCRI_TYPE_##T, TYPE) \
    UPCRI_REDUCE_FUNCTION(bupc_all_prefix_reduce##T, UPCRI_PREFIX_REDUCE, UPCRI_TYPE_##T, TYPE)
UPCRI_REDUCE_TYPES(UPCRI_REDUCE_FUNCTIONS)
#undef UPCRI_REDUCE_FUNCTIONS
#undef UPCRI_REDUCE_FUNCTION

/*
 * Sorts `shared [blk_size] char[nelems][elem_size]` in place, from any thread and phase on, into ascending
 * order: func(a, b) is negative, zero or positive as *a comes before, with or after *b, as for qsort(). The
 * pointers that func gets are to elements or to copies of them in shared memory of the calling thread, in
 * blocks of the indefinite size. Equal elements may change their order. Every thread needs private and shared
 * heap memory of up to about twice its share of the array meanwhile.
 *   elem_size  bytes of an element, above 0
 * Flags, threads and errors as above.
 */
UPCRI_API void upcri_sort(upcr_shared_ptr_t array, size_t elem_size, size_t nelems, size_t blk_size,
                          int (*func)(upcr_shared_ptr_t, upcr_shared_ptr_t), int flags);
#if UPCRI_ENCODING == 0
UPCRI_API void bupc_all_sort(upcr_shared_ptr_t array, size_t elem_size, size_t nelems, size_t blk_size,
                             int (*func)(upcr_shared_ptr_t, upcr_shared_ptr_t), int flags);
#else
UPCRI_STATIC void bupc_all_sort(upcr_shared_ptr_t array, size_t elem_size, size_t nelems, size_t blk_size,
                                int (*func)(upcr_shared_ptr_t, upcr_shared_ptr_t), int flags) {
    upcri_sort(array, elem_size, nelems, blk_size, func, upcri_coll_flags(flags));
}
#endif

UPCRI_END_C

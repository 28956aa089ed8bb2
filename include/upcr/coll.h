/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives that move data (UPC 1.3 7.4.2): all threads call them, in the same order, with the same
 * arguments; not between upcr_notify and upcr_wait.
 *
 *   dst, src   shared memory, taken as if its phase was 0; must not overlap
 *   nbytes     of one block; more than 0
 *   flags      when data may be touched, and when a thread may go on:
 *                IN_ALLSYNC   not before all threads have entered
 *                IN_MYSYNC    data with affinity to a thread: not before that thread has entered
 *                IN_NOSYNC    at once, by the first thread that enters
 *                OUT_ALLSYNC  a thread returns when all data is moved
 *                OUT_MYSYNC   ... when nobody will touch data with affinity to it any more
 *                OUT_NOSYNC   ... when it has done its own part
 *              A half that is missing means ALLSYNC.
 *
 * Blocking, by UPC threads, not in an AM handler. Debug: arguments that differ between threads, a dst or src
 * with affinity to the wrong thread, nbytes 0, two flags of a half, ranges outside of the threads' segments
 * are fatal.
 *
 * The values of flags are UPC 1.3's, or those of the release that UPCRI_ENCODING names (encoding.h).
 */
#pragma once
#include "upcr/encoding.h"
#include "upcr/types.h"

UPCRI_BEGIN_C

/*
 * broadcast   src (nbytes on one thread) to the block of dst on each thread
 * scatter     block i of src (THREADS blocks on one thread) to the block of dst on thread i
 * gather      the block of src on thread i to block i of dst (THREADS blocks on one thread)
 * gather_all  the block of src on thread i to block i of the THREADS blocks of dst on each thread
 * exchange    block j of the THREADS blocks of src on thread i to block i of those of dst on thread j
 * permute     the block of src on thread i to the block of dst on thread perm[i]; perm: THREADS ints with
 *             blocks of one, a permutation of 0 .. THREADS - 1
 *
 * What lies on each thread starts where the pointer says, on thread 0, and at the same place on the others.
 */
UPCRI_API void bupc_all_broadcast(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API void bupc_all_scatter(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API void bupc_all_gather(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API void bupc_all_gather_all(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API void bupc_all_exchange(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API void bupc_all_permute(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, upcr_pshared_ptr_t perm,
                                size_t nbytes, int flags);

#if UPCRI_ENCODING != 0
/* Files of older translators: the same names, with their flags turned into UPC 1.3's. Object-like on purpose:
 * such a file may declare the function again. */
UPCRI_INLINE void upcri_enc_all_broadcast(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags)
{
    bupc_all_broadcast(dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_INLINE void upcri_enc_all_scatter(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags)
{
    bupc_all_scatter(dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_INLINE void upcri_enc_all_gather(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags)
{
    bupc_all_gather(dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_INLINE void upcri_enc_all_gather_all(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags)
{
    bupc_all_gather_all(dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_INLINE void upcri_enc_all_exchange(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags)
{
    bupc_all_exchange(dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_INLINE void upcri_enc_all_permute(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, upcr_pshared_ptr_t perm,
                                        size_t nbytes, int flags)
{
    bupc_all_permute(dst, src, perm, nbytes, upcri_coll_flags(flags));
}
#define bupc_all_broadcast upcri_enc_all_broadcast
#define bupc_all_scatter upcri_enc_all_scatter
#define bupc_all_gather upcri_enc_all_gather
#define bupc_all_gather_all upcri_enc_all_gather_all
#define bupc_all_exchange upcri_enc_all_exchange
#define bupc_all_permute upcri_enc_all_permute
#endif

UPCRI_END_C

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives that move data (UPC 1.3 7.4.2): all threads call them, in the same order, with the same
 * arguments; not between upcr_notify and upcr_wait.
 *
 *   dst, src   shared memory, taken as if its phase was 0; must not overlap
 *   nbytes     of one block; more than 0
 *   flags      when data may be accessed, and when a thread may return:
 *                IN_ALLSYNC   not before all threads have entered
 *                IN_MYSYNC    data with affinity to a thread: not before that thread has entered
 *                IN_NOSYNC    at once, by the first thread that enters
 *                OUT_ALLSYNC  a thread returns when all data is moved
 *                OUT_MYSYNC   ... when no thread will access data with affinity to it any more
 *                OUT_NOSYNC   ... when it has done its own part
 *              A missing half means ALLSYNC.
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
 * Data on each thread starts at the pointer, on thread 0, and at the same address field on the others.
 */
UPCRI_API void bupc_all_broadcast(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API void bupc_all_scatter(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API void bupc_all_gather(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API void bupc_all_gather_all(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API void bupc_all_exchange(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API void bupc_all_permute(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, upcr_pshared_ptr_t perm,
                                size_t nbytes, int flags);

/* Names that some translators use. */
#define _upcr_all_broadcast bupc_all_broadcast
#define _upcr_all_scatter bupc_all_scatter
#define _upcr_all_gather bupc_all_gather
#define _upcr_all_gather_all bupc_all_gather_all
#define _upcr_all_exchange bupc_all_exchange
#define _upcr_all_permute bupc_all_permute

/* ---- Teams and non-blocking collectives (Berkeley UPC extensions) ---- */

/*
 * A team is a sequence of threads, numbered from 0. Handles are the calling thread's own; a team lasts as
 * long as the program, and a thread can be in 4095 besides BUPC_TEAM_ALL.
 */
typedef struct upcri_team *bupc_team_t;
#define BUPC_TEAM_ALL ((bupc_team_t)0)

/*
 * All members of `parent` call it; those that pass the same color, any int, form a new team, numbered in the
 * order of myrelrank, equal ones in the order of their numbers in the parent. Waits for all members.
 */
UPCRI_API bupc_team_t bupc_team_split(bupc_team_t parent, int mycolor, int myrelrank);

/*
 * Like upc_all_broadcast and upc_all_exchange among the members of a team: the blocks of member i are those
 * on its thread, at the same address field as dst (exchange: src) on whatever thread that has affinity to;
 * src of a broadcast has affinity to a member. For BUPC_TEAM_ALL the affinities of UPC 1.3 are required.
 *
 * They return at once, with a handle that this thread passes to bupc_coll_wait() later; only then the OUT
 * flag is fulfilled, and until then data may be accessed only as the IN flag allows. All members start
 * the collectives of a team in the same order, but may wait for them in any order. They make progress when
 * their thread waits for anything or polls.
 */
typedef struct upcri_coll *bupc_coll_handle_t;
#define BUPC_COLL_DONE ((bupc_coll_handle_t)0)
UPCRI_API bupc_coll_handle_t bupc_team_broadcast(bupc_team_t team, upcr_shared_ptr_t dst,
                                                 upcr_shared_ptr_t src, size_t nbytes, int flags);
UPCRI_API bupc_coll_handle_t bupc_team_exchange(bupc_team_t team, upcr_shared_ptr_t dst,
                                                upcr_shared_ptr_t src, size_t nbytes, int flags);
/* Waits for a collective; does nothing for BUPC_COLL_DONE. A handle is waited for once. */
UPCRI_API void bupc_coll_wait(bupc_coll_handle_t handle);

/*
 * Reads or writes the algorithms of a team's collectives from or to a text file of lines "collective
 * algorithm" (broadcast, scatter, gather, gather_all, exchange; the algorithms are those of
 * UPCR_COLL_BROADCAST and so on in docs/reference/environment.md), "radix N", "flat_threads N", "small BYTES"; # starts
 * a comment. All members call it; the first one reads or writes the file. A file that cannot be read or
 * written is a warning. A team starts with its parent's table, BUPC_TEAM_ALL with the environment's.
 */
UPCRI_API void bupc_load_coll_tuning_file(bupc_team_t team, char *file);
UPCRI_API void bupc_store_coll_tuning_file(bupc_team_t team, char *file);

#if UPCRI_ENCODING != 0
/* Files of older translators: the same names, with their flags turned into UPC 1.3's. Object-like on purpose:
 * such a file may declare the function again. */
UPCRI_STATIC void upcri_enc_all_broadcast(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes,
                                          int flags) {
    bupc_all_broadcast(dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_STATIC void upcri_enc_all_scatter(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes,
                                        int flags) {
    bupc_all_scatter(dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_STATIC void upcri_enc_all_gather(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes,
                                       int flags) {
    bupc_all_gather(dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_STATIC void upcri_enc_all_gather_all(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes,
                                           int flags) {
    bupc_all_gather_all(dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_STATIC void upcri_enc_all_exchange(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes,
                                         int flags) {
    bupc_all_exchange(dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_STATIC void upcri_enc_all_permute(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, upcr_pshared_ptr_t perm,
                                        size_t nbytes, int flags) {
    bupc_all_permute(dst, src, perm, nbytes, upcri_coll_flags(flags));
}
UPCRI_STATIC bupc_coll_handle_t upcri_enc_team_broadcast(bupc_team_t team, upcr_shared_ptr_t dst,
                                                         upcr_shared_ptr_t src, size_t nbytes, int flags) {
    return bupc_team_broadcast(team, dst, src, nbytes, upcri_coll_flags(flags));
}
UPCRI_STATIC bupc_coll_handle_t upcri_enc_team_exchange(bupc_team_t team, upcr_shared_ptr_t dst,
                                                        upcr_shared_ptr_t src, size_t nbytes, int flags) {
    return bupc_team_exchange(team, dst, src, nbytes, upcri_coll_flags(flags));
}
#define bupc_team_broadcast upcri_enc_team_broadcast
#define bupc_team_exchange upcri_enc_team_exchange
#define bupc_all_broadcast upcri_enc_all_broadcast
#define bupc_all_scatter upcri_enc_all_scatter
#define bupc_all_gather upcri_enc_all_gather
#define bupc_all_gather_all upcri_enc_all_gather_all
#define bupc_all_exchange upcri_enc_all_exchange
#define bupc_all_permute upcri_enc_all_permute
#endif

UPCRI_END_C

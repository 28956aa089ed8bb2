/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives of GASNet-1, and teams.
 *
 * An *image* is a participant: a node, or in GASNET_PAR each of several threads of a node, as
 * gasnet_coll_init() defines. Images are numbered from 0, node by node; their numbers are their ranks in
 * GASNET_TEAM_ALL. A team is a sequence of images, and `srcimage` and `dstimage` are ranks in it. All images
 * of a team make the same calls with the same sizes, roots and flags in the same order; each of several
 * images of a node makes them itself, from its own thread.
 *
 *   Addresses      `dst` and `src` are the calling image's own, anywhere in its memory. Where only the root
 *                  has data, the others' argument is ignored.
 *   ...M           take a list of addresses: with GASNET_COLL_SINGLE one for each member of the team, by
 *                  rank; else one for each member on the calling image's node, by rank.
 *   ..._nb         return at once; gasnet_coll_wait_sync() and gasnet_coll_try_sync() complete them. Several
 *                  may be pending; arguments and data must not change until then, lists of addresses need
 *                  not.
 *   Flags          GASNET_COLL_IN_ALLSYNC: no data is read or written before all images have entered;
 *                  _IN_MYSYNC, _IN_NOSYNC: an image's data is, once it has entered. GASNET_COLL_OUT_ALLSYNC:
 *                  it returns when all images have completed the call; _OUT_MYSYNC, _OUT_NOSYNC: when this
 *                  image's data is complete. Without an IN or an OUT flag: ALLSYNC.
 *   Errors         fatal, and name the values: ranks out of range, sizes that differ between images.
 *   Threads        an image's calls come from one thread at a time; not in handlers, nor with a lock held.
 *                  They may come between gasnet_barrier_notify() and gasnet_barrier_wait().
 *
 * Source: the specification for gasnet_coll_init(), gasnet_coll_broadcast() and the flags; clients of
 * GASNet-1 for the rest.
 */
#pragma once
#include "gasnet/types.h"

GASNETI_BEGIN_EXTERNC

typedef uint32_t gasnet_image_t;
typedef struct gasneti_team_s *gasnet_team_handle_t;    /* one image's membership in a team */
typedef struct gasneti_coll_op_s *gasnet_coll_handle_t; /* a non-blocking collective; all-zero: none */
#define GASNET_COLL_INVALID_HANDLE ((gasnet_coll_handle_t)0)

/* A function of reductions: results[i] = left_operands[i] op right_operands[i] for result_count elements of
 * elem_size bytes. `results` may be left_operands. `flags` is its entry's, `arg` the reduction's func_arg. It
 * must be associative; operands stand in the order of ranks. It runs on a thread of the node that is in a
 * GASNet call and makes none itself. */
typedef void (*gasnet_coll_reduce_fn_t)(void *results, size_t result_count, const void *left_operands,
                                        size_t left_count, const void *right_operands, size_t elem_size,
                                        int flags, int arg);
typedef struct gasneti_coll_fn_entry_s {
    gasnet_coll_reduce_fn_t fnptr;
    unsigned int flags;
} gasnet_coll_fn_entry_t;
typedef uint32_t gasnet_coll_fn_handle_t; /* an index of gasnet_coll_init()'s table */

/* All images. */
#define GASNET_TEAM_ALL ((gasnet_team_handle_t)0)

/* When data may be read and written. */
#define GASNET_COLL_IN_NOSYNC (1 << 0)
#define GASNET_COLL_IN_MYSYNC (1 << 1)
#define GASNET_COLL_IN_ALLSYNC (1 << 2)
#define GASNET_COLL_OUT_NOSYNC (1 << 3)
#define GASNET_COLL_OUT_MYSYNC (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)
/* Addresses: of all images, the same arguments everywhere; or of this node's. */
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL (1 << 7)
/* Hints, without effect. */
#define GASNET_COLL_AGGREGATE (1 << 8)
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)

/* After gasnet_attach(), before the first other collective, by every image. images[i]: how many images node i
 * has, the same on all nodes, more than one only in GASNET_PAR; my_image: which one the calling thread is.
 * Null and 0: one a node, any thread's. fn_tbl: the functions of reductions, the same on all nodes. Returns
 * when all images have called it. */
extern GASNETI_API void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image,
                                         gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count, int init_flags);

/* Completion of non-blocking collectives, each by the image that started it, as by gasnet_wait_syncnb() and
 * the like. try: GASNET_OK or GASNET_ERR_NOT_READY. Entries of lists that are complete become
 * GASNET_COLL_INVALID_HANDLE. */
extern GASNETI_API void gasnet_coll_wait_sync(gasnet_coll_handle_t handle);
extern GASNETI_API int gasnet_coll_try_sync(gasnet_coll_handle_t handle);
extern GASNETI_API void gasnet_coll_wait_sync_all(gasnet_coll_handle_t *handles, size_t count);
extern GASNETI_API int gasnet_coll_try_sync_all(gasnet_coll_handle_t *handles, size_t count);
extern GASNETI_API void gasnet_coll_wait_sync_some(gasnet_coll_handle_t *handles, size_t count);
extern GASNETI_API int gasnet_coll_try_sync_some(gasnet_coll_handle_t *handles, size_t count);

/* Copies nbytes at `src` of srcimage to `dst` of every image. On srcimage dst may be src. */
extern GASNETI_API void gasnet_coll_broadcast(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage,
                                              void *src, size_t nbytes, int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_broadcast_nb(gasnet_team_handle_t team, void *dst,
                                                                 gasnet_image_t srcimage, void *src,
                                                                 size_t nbytes, int flags);
extern GASNETI_API void gasnet_coll_broadcastM(gasnet_team_handle_t team, void *const dstlist[],
                                               gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_broadcastM_nb(gasnet_team_handle_t team,
                                                                  void *const dstlist[],
                                                                  gasnet_image_t srcimage, void *src,
                                                                  size_t nbytes, int flags);

/* Block i of nbytes at `src` of srcimage goes to `dst` of image i. */
extern GASNETI_API void gasnet_coll_scatter(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage,
                                            void *src, size_t nbytes, int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_scatter_nb(gasnet_team_handle_t team, void *dst,
                                                               gasnet_image_t srcimage, void *src,
                                                               size_t nbytes, int flags);
extern GASNETI_API void gasnet_coll_scatterM(gasnet_team_handle_t team, void *const dstlist[],
                                             gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_scatterM_nb(gasnet_team_handle_t team,
                                                                void *const dstlist[],
                                                                gasnet_image_t srcimage, void *src,
                                                                size_t nbytes, int flags);

/* The nbytes at `src` of image i go to block i at `dst` of dstimage. */
extern GASNETI_API void gasnet_coll_gather(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
                                           void *src, size_t nbytes, int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_gather_nb(gasnet_team_handle_t team,
                                                              gasnet_image_t dstimage, void *dst, void *src,
                                                              size_t nbytes, int flags);
extern GASNETI_API void gasnet_coll_gatherM(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
                                            void *const srclist[], size_t nbytes, int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_gatherM_nb(gasnet_team_handle_t team,
                                                               gasnet_image_t dstimage, void *dst,
                                                               void *const srclist[], size_t nbytes,
                                                               int flags);

/* The nbytes at `src` of image i go to block i at `dst` of every image. Its own block may be src. */
extern GASNETI_API void gasnet_coll_gather_all(gasnet_team_handle_t team, void *dst, void *src, size_t nbytes,
                                               int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_gather_all_nb(gasnet_team_handle_t team, void *dst,
                                                                  void *src, size_t nbytes, int flags);
extern GASNETI_API void gasnet_coll_gather_allM(gasnet_team_handle_t team, void *const dstlist[],
                                                void *const srclist[], size_t nbytes, int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_gather_allM_nb(gasnet_team_handle_t team,
                                                                   void *const dstlist[],
                                                                   void *const srclist[], size_t nbytes,
                                                                   int flags);

/* Block j at `src` of image i goes to block i at `dst` of image j. dst and src do not overlap. */
extern GASNETI_API void gasnet_coll_exchange(gasnet_team_handle_t team, void *dst, void *src, size_t nbytes,
                                             int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_exchange_nb(gasnet_team_handle_t team, void *dst,
                                                                void *src, size_t nbytes, int flags);
extern GASNETI_API void gasnet_coll_exchangeM(gasnet_team_handle_t team, void *const dstlist[],
                                              void *const srclist[], size_t nbytes, int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_exchangeM_nb(gasnet_team_handle_t team,
                                                                 void *const dstlist[], void *const srclist[],
                                                                 size_t nbytes, int flags);

/* Combines elem_count elements of elem_size bytes at `src` of all images, element by element, with the
 * function `func`, into `dst` of dstimage, which may be its src. An image's elements are one block: src_blksz
 * and src_offset are 0. */
extern GASNETI_API void gasnet_coll_reduce(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
                                           void *src, size_t src_blksz, size_t src_offset, size_t elem_size,
                                           size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg,
                                           int flags);
extern GASNETI_API gasnet_coll_handle_t gasnet_coll_reduce_nb(gasnet_team_handle_t team,
                                                              gasnet_image_t dstimage, void *dst, void *src,
                                                              size_t src_blksz, size_t src_offset,
                                                              size_t elem_size, size_t elem_count,
                                                              gasnet_coll_fn_handle_t func, int func_arg,
                                                              int flags);
extern GASNETI_API void gasnet_coll_reduceM(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
                                            void *const srclist[], size_t src_blksz, size_t src_offset,
                                            size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
                                            int func_arg, int flags);
extern GASNETI_API gasnet_coll_handle_t
gasnet_coll_reduceM_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *const srclist[],
                       size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
                       gasnet_coll_fn_handle_t func, int func_arg, int flags);

/* Teams. Collective over `team`: images that name the same colour become a team, in the order of myrelrank
 * and, where that is equal, of their ranks in `team`. The handle is the calling image's. */
extern GASNETI_API gasnet_team_handle_t gasnet_coll_team_split(gasnet_team_handle_t team,
                                                               gasnet_image_t mycolor,
                                                               gasnet_image_t myrelrank);
/* Frees the calling image's handle; not while collectives of the team are pending. */
extern GASNETI_API void gasnet_coll_team_free(gasnet_team_handle_t team);
extern GASNETI_API gasnet_image_t gasnet_coll_team_size(gasnet_team_handle_t team);
extern GASNETI_API gasnet_image_t gasnet_coll_team_rank(gasnet_team_handle_t team);

/* The split-phase barrier of a team's images: independent of gasnet_barrier_notify() and the like, with the
 * same rules and results. One phase of a team at a time; collectives of the team may come in between. */
extern GASNETI_API void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags);
extern GASNETI_API int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags);
extern GASNETI_API int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags);
extern GASNETI_API int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags);

GASNETI_END_EXTERNC

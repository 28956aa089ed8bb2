/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The collective calls that self-checking clients make: a start, and a broadcast. One image a node, whose number
 * is the node's. Collective: every node makes the same call, by one thread, between its barriers (not between
 * notify and wait).
 */
#pragma once
#include "gasnet/types.h"

GASNETI_BEGIN_EXTERNC

typedef uint32_t gasnet_image_t;
typedef struct gasneti_team_s *gasnet_team_handle_t;
typedef struct gasneti_coll_fn_entry_s {
    void (*fnptr)(void);
    unsigned int flags;
} gasnet_coll_fn_entry_t;

/* All nodes: the only team. */
#define GASNET_TEAM_ALL ((gasnet_team_handle_t)0)

/* When data may be read and written: this implementation does as for IN_ALLSYNC and OUT_ALLSYNC always. */
#define GASNET_COLL_IN_NOSYNC (1 << 0)
#define GASNET_COLL_IN_MYSYNC (1 << 1)
#define GASNET_COLL_IN_ALLSYNC (1 << 2)
#define GASNET_COLL_OUT_NOSYNC (1 << 3)
#define GASNET_COLL_OUT_MYSYNC (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)
/* Addresses: the same everywhere, or each node's own. */
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL (1 << 7)
/* Hints. */
#define GASNET_COLL_AGGREGATE (1 << 8)
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)

/* After gasnet_attach(), once, before the first collective. All arguments may be 0; more images than one a node,
 * and functions, there are none. */
extern GASNETI_API void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image,
                                         gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count, int init_flags);

/* Copies nbytes at `src` of node srcimage to `dst` of every node, anywhere in memory. `src` counts on that node
 * only and may equal dst. Returns on no node before all have entered, nor before all have their data. */
extern GASNETI_API void gasnet_coll_broadcast(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage,
                                              void *src, size_t nbytes, int flags);

GASNETI_END_EXTERNC

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_vis.h: put and get of memory that is not contiguous, as vectors, by index, in strides (the VIS
 * extension of GASNet-1's extended API). Threads as in gasnet/core.h; not in handlers.
 *
 *               blocking           explicit handle       implicit handle
 *   vector      gasnet_putv_bulk   gasnet_putv_nb_bulk   gasnet_putv_nbi_bulk     and get
 *   indexed     gasnet_puti_bulk   gasnet_puti_nb_bulk   gasnet_puti_nbi_bulk
 *   strided     gasnet_puts_bulk   gasnet_puts_nb_bulk   gasnet_puts_nbi_bulk
 *
 * The data is a stream of bytes: the pieces of the source one after the other, cut into the pieces of the
 * destination. Both sides have equally many bytes, in pieces of any size and alignment.
 *
 *   vector    lists of address and length; either may be empty, entries may have length 0
 *   indexed   lists of addresses of dstlen and srclen bytes: dstcount * dstlen == srccount * srclen
 *   strided   count[0] bytes, repeated count[i] times (i = 1 .. stridelevels) at byte distances strides[i -
 *             1]: strides[0] >= count[0], strides[i] >= count[i] * strides[i - 1]. stridelevels 0:
 *             contiguous. A count of 0: nothing is copied, and no argument is read.
 *
 * node: the remote side is in the segment of this node, which may be the calling one. The other side is any
 * memory of the caller. Pieces of the destination do not overlap, nor do source and destination; pieces of
 * the source may. Lists, strides and counts may be changed when the call returns, the source of a put when it
 * is synchronised. Synchronised as other operations (gasnet/extended.h). Errors end the job, debug builds
 * check all of the above but overlap.
 */
#pragma once
#include "gasnet.h"

GASNETI_BEGIN_EXTERNC

/* The nine puts and the nine gets differ in the result only; R: void or gasnet_handle_t. */
#define GASNETI_DECLARE_VIS(R, how)                                                                         \
    extern GASNETI_API R gasnet_putv_##how(gasnet_node_t dstnode, size_t dstcount,                          \
                                           gasnet_memvec_t const dstlist[], size_t srccount,                \
                                           gasnet_memvec_t const srclist[]);                                \
    extern GASNETI_API R gasnet_getv_##how(size_t dstcount, gasnet_memvec_t const dstlist[],                \
                                           gasnet_node_t srcnode, size_t srccount,                          \
                                           gasnet_memvec_t const srclist[]);                                \
    extern GASNETI_API R gasnet_puti_##how(gasnet_node_t dstnode, size_t dstcount, void *const dstlist[],   \
                                           size_t dstlen, size_t srccount, void *const srclist[],           \
                                           size_t srclen);                                                  \
    extern GASNETI_API R gasnet_geti_##how(size_t dstcount, void *const dstlist[], size_t dstlen,           \
                                           gasnet_node_t srcnode, size_t srccount, void *const srclist[],   \
                                           size_t srclen);                                                  \
    extern GASNETI_API R gasnet_puts_##how(gasnet_node_t dstnode, void *dstaddr, const size_t dststrides[], \
                                           void *srcaddr, const size_t srcstrides[], const size_t count[],  \
                                           size_t stridelevels);                                            \
    extern GASNETI_API R gasnet_gets_##how(void *dstaddr, const size_t dststrides[], gasnet_node_t srcnode, \
                                           void *srcaddr, const size_t srcstrides[], const size_t count[],  \
                                           size_t stridelevels)
GASNETI_DECLARE_VIS(void, bulk);
GASNETI_DECLARE_VIS(gasnet_handle_t, nb_bulk);
GASNETI_DECLARE_VIS(void, nbi_bulk);

GASNETI_END_EXTERNC

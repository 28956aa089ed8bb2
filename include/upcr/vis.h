/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of memory that is not contiguous: lists and sections of arrays (LBNL-56495 v2.0, "Proposal for
 * Extending the UPC Memory Copy Library Functions", chapters 5 and 6, and points 8 and 9 of its appendix;
 * there with the prefix upc_).
 *
 * Each family F has six functions with the same parameters (but for the types of DST and SRC):
 *
 *   void bupc_memcpy_F(...)     shared to shared, each of any thread: DST and SRC are upcr_shared_ptr_t
 *   void bupc_memput_F(...)     private to shared: SRC is const void *
 *   void bupc_memget_F(...)     shared to private: DST is void *
 *   bupc_handle_t bupc_memcpy_F_async(...), bupc_memput_F_async(...), bupc_memget_F_async(...)
 *
 * The first three are complete on return. The _async forms return a handle (BUPC_COMPLETE_HANDLE for an
 * operation that is complete already) that the calling thread synchronises once, with bupc_waitsync() and its
 * family or those of nb.h; until then the source must not change and the destination must not be used. Lists,
 * strides and counts are read before the call returns, in both forms: they may be changed or freed at once,
 * although the proposal demands that they stay.
 *
 * Both sides are read as streams of bytes, cut into the pieces that each side names: the pieces need not be
 * alike, only the totals must be equal. Shared memory is contiguous on its thread from the address on,
 * whatever the block size; a phase is ignored. Any alignment. Destination pieces must not overlap each other
 * nor the source; source pieces may overlap each other. With a total of 0 bytes nothing is done, and no other
 * argument is read.
 *
 * Relaxed. UPC threads, not in an AM handler. The calls may serve other threads. An async operation allocates
 * no memory for its data; a copy between two threads whose memory is not mapped here passes through the
 * caller in pieces and is complete on return.
 *
 * Debug: every rule is checked: totals that differ, null addresses and pointers, lengths of 0 where they are
 * not allowed, strides that are too small, ranges outside the owner's segment, and (for operations of up to
 * 65536 pieces) pieces of the destination that overlap each other or the source. The message names the
 * function, the entry and the numbers.
 */
#pragma once
#include "upcr/nb.h"
#include "upcr/vis_rep.h"

UPCRI_BEGIN_C

/* Both designs of the proposal exist for lists (A: vlist, B: ilist) and sections (A: fstrided, B: strided).
 * */
#define BUPC_SG_DESIGN_A 1
#define BUPC_SG_DESIGN_B 1
#define BUPC_STRIDED_DESIGN_A 1
#define BUPC_STRIDED_DESIGN_B 1

/* A private and a shared region: `len` bytes from `addr` on. An entry with len 0 is ignored, its addr may be
 * null. Translated code defines structs of its own for these types (struct bupc_pmemvec_S_trans), with the
 * same members: the tags here differ from theirs, and the vlist functions accept a list of any of them. */
typedef struct upcri_pmemvec {
    void *addr;
    size_t len;
} bupc_pmemvec_t;
typedef struct upcri_smemvec {
    upcr_shared_ptr_t addr;
    size_t len;
} bupc_smemvec_t;

/* ---- Lists of regions (proposal 5.2) ----
 *
 *   bupc_mem{cpy,put,get}_vlist[_async](size_t dstcount, const void *dstlist, size_t srccount, const void
 *   *srclist)
 *
 *   dstcount, srccount   entries of the lists, 0 or more
 *   dstlist, srclist     bupc_smemvec_t where the memory is shared, bupc_pmemvec_t where it is private; each
 *                        shared entry may be another thread's
 */
UPCRI_VIS_DIRECTIONS(UPCRI_VIS_VLIST)

/* ---- Lists of addresses with one length (proposal 5.3) ----
 *
 *   bupc_mem{cpy,put,get}_ilist[_async](size_t dstcount, DST const *dstlist, size_t dstlen,
 *                                       size_t srccount, SRC const *srclist, size_t srclen)
 *
 *   dstcount, srccount   entries of the lists, 0 or more
 *   dstlist, srclist     addresses: pointers-to-shared, each of any thread, or plain pointers (those lists
 *                        are declared as const void *, so that they may be of pointers to any type)
 *   dstlen, srclen       bytes at each address, greater than 0; dstcount * dstlen == srccount * srclen
 */
UPCRI_VIS_DIRECTIONS(UPCRI_VIS_ILIST)

/* ---- Chunks at one distance (proposal 6.1): sections of two dimensions ----
 *
 *   bupc_mem{cpy,put,get}_fstrided[_async](DST dstaddr, size_t dstchunklen, size_t dstchunkstride,
 *                                          size_t dstchunkcount, SRC srcaddr, size_t srcchunklen,
 *                                          size_t srcchunkstride, size_t srcchunkcount)
 *
 *   dstaddr, srcaddr                  the first chunk
 *   dstchunklen, srcchunklen          bytes of each chunk
 *   dstchunkstride, srcchunkstride    bytes from the beginning of one chunk to that of the next, at least the
 *                                     chunk's length
 *   dstchunkcount, srcchunkcount      chunks; length * count is the same on both sides
 */
UPCRI_VIS_DIRECTIONS(UPCRI_VIS_FSTRIDED)

/* ---- Sections of any number of dimensions (proposal 6.2) ----
 *
 *   bupc_mem{cpy,put,get}_strided[_async](DST dstaddr, const size_t dststrides[], SRC srcaddr,
 *                                         const size_t srcstrides[], const size_t count[], size_t
 *                                         stridelevels)
 *
 *   dstaddr, srcaddr          the first byte of the section
 *   count                     stridelevels + 1 entries: bytes of a contiguous row, then how many rows, how
 *                             many planes of them, and so on. Any of them 0: nothing is copied
 *   dststrides, srcstrides    stridelevels entries: bytes from one row to the next, from one plane to the
 *                             next and so on. strides[0] >= count[0], strides[i] >= count[i] * strides[i -
 *                             1]. Not read when stridelevels is 0
 */
UPCRI_VIS_DIRECTIONS(UPCRI_VIS_STRIDED)

/* ---- The same for two and three dimensions, with numbers as arguments (appendix, point 9) ----
 *
 *   bupc_mem{cpy,put,get}_strided2d[_async](DST dstaddr, size_t dstrowstride, SRC srcaddr, size_t
 *   srcrowstride,
 *                                           size_t rowbytes, size_t rows)
 *   bupc_mem{cpy,put,get}_strided3d[_async](DST dstaddr, size_t dstrowstride, size_t dstplanestride,
 *                                           SRC srcaddr, size_t srcrowstride, size_t srcplanestride,
 *                                           size_t rowbytes, size_t rows, size_t planes)
 *
 *   rowbytes, rows, planes             bytes of a contiguous row; rows of a plane; planes
 *   dstrowstride, srcrowstride         bytes from one row to the next, >= rowbytes
 *   dstplanestride, srcplanestride     bytes from one plane to the next, >= rows * row stride
 */
UPCRI_VIS_DIRECTIONS(UPCRI_VIS_STRIDED2D)
UPCRI_VIS_DIRECTIONS(UPCRI_VIS_STRIDED3D)

/* ---- Sections whose dimensions are permuted or reversed (appendix, point 8) ----
 *
 *   bupc_mem{cpy,put,get}_transpose[_async](DST dstaddr, const ptrdiff_t dststrides[], SRC srcaddr,
 *                                           const ptrdiff_t srcstrides[], const size_t count[],
 *                                           size_t stridelevels)
 *
 *   dstaddr, srcaddr          the byte with index 0 in every dimension
 *   count                     stridelevels + 1 entries: how many bytes, or groups of them, along each
 *                             dimension. Any of them 0: nothing is copied
 *   dststrides, srcstrides    stridelevels + 1 entries: bytes from one index to the next along the same
 *                             dimension of that side. In any order and of either sign: memory before the
 *                             address is accessed where a stride is negative. A contiguous dimension has
 *                             stride 1
 *
 * The byte with index (i0, i1, ...) goes from srcaddr + i0 * srcstrides[0] + i1 * srcstrides[1] + ... to
 * dstaddr + i0 * dststrides[0] + i1 * dststrides[1] + ... Ordered by size, each stride of the destination is
 * at least the next smaller one times its count, so that no two bytes have the same address; those of the
 * source are arbitrary (0 repeats).
 *
 * The transpose of a matrix of R rows and C columns of doubles, both stored by rows:
 *     count[]      = {8, C, R}
 *     srcstrides[] = {1, 8, 8 * C}
 *     dststrides[] = {1, 8 * R, 8}
 * With srcaddr the last row's address and -8 * C its rows come in reverse order.
 */
UPCRI_VIS_DIRECTIONS(UPCRI_VIS_TRANSPOSE)

UPCRI_END_C

#include "upcr_preinclude/bupc_proposal_names.h"

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
UPCRI_STATIC void bupc_memcpy_vlist(size_t dstcount, const void *dstlist, size_t srccount,
                                    const void *srclist) {
    (void)upcri_vis_vlist(UPCRI_NAME("bupc_memcpy_vlist"), UPCRI_VIS_CPY, dstcount, dstlist, srccount,
                          srclist);
}
UPCRI_STATIC bupc_handle_t bupc_memcpy_vlist_async(size_t dstcount, const void *dstlist, size_t srccount,
                                                   const void *srclist) {
    return upcri_vis_vlist(UPCRI_NAME("bupc_memcpy_vlist_async"), UPCRI_VIS_CPY | UPCRI_VIS_ASYNC, dstcount,
                           dstlist, srccount, srclist);
}
UPCRI_STATIC void bupc_memput_vlist(size_t dstcount, const void *dstlist, size_t srccount,
                                    const void *srclist) {
    (void)upcri_vis_vlist(UPCRI_NAME("bupc_memput_vlist"), UPCRI_VIS_PUT, dstcount, dstlist, srccount,
                          srclist);
}
UPCRI_STATIC bupc_handle_t bupc_memput_vlist_async(size_t dstcount, const void *dstlist, size_t srccount,
                                                   const void *srclist) {
    return upcri_vis_vlist(UPCRI_NAME("bupc_memput_vlist_async"), UPCRI_VIS_PUT | UPCRI_VIS_ASYNC, dstcount,
                           dstlist, srccount, srclist);
}
UPCRI_STATIC void bupc_memget_vlist(size_t dstcount, const void *dstlist, size_t srccount,
                                    const void *srclist) {
    (void)upcri_vis_vlist(UPCRI_NAME("bupc_memget_vlist"), UPCRI_VIS_GET, dstcount, dstlist, srccount,
                          srclist);
}
UPCRI_STATIC bupc_handle_t bupc_memget_vlist_async(size_t dstcount, const void *dstlist, size_t srccount,
                                                   const void *srclist) {
    return upcri_vis_vlist(UPCRI_NAME("bupc_memget_vlist_async"), UPCRI_VIS_GET | UPCRI_VIS_ASYNC, dstcount,
                           dstlist, srccount, srclist);
}

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
UPCRI_STATIC void bupc_memcpy_ilist(size_t dstcount, upcr_shared_ptr_t const *dstlist, size_t dstlen,
                                    size_t srccount, upcr_shared_ptr_t const *srclist, size_t srclen) {
    (void)upcri_vis_ilist(UPCRI_NAME("bupc_memcpy_ilist"), UPCRI_VIS_CPY, dstcount, dstlist, dstlen, srccount,
                          srclist, srclen);
}
UPCRI_STATIC bupc_handle_t bupc_memcpy_ilist_async(size_t dstcount, upcr_shared_ptr_t const *dstlist,
                                                   size_t dstlen, size_t srccount,
                                                   upcr_shared_ptr_t const *srclist, size_t srclen) {
    return upcri_vis_ilist(UPCRI_NAME("bupc_memcpy_ilist_async"), UPCRI_VIS_CPY | UPCRI_VIS_ASYNC, dstcount,
                           dstlist, dstlen, srccount, srclist, srclen);
}
UPCRI_STATIC void bupc_memput_ilist(size_t dstcount, upcr_shared_ptr_t const *dstlist, size_t dstlen,
                                    size_t srccount, const void *srclist, size_t srclen) {
    (void)upcri_vis_ilist(UPCRI_NAME("bupc_memput_ilist"), UPCRI_VIS_PUT, dstcount, dstlist, dstlen, srccount,
                          srclist, srclen);
}
UPCRI_STATIC bupc_handle_t bupc_memput_ilist_async(size_t dstcount, upcr_shared_ptr_t const *dstlist,
                                                   size_t dstlen, size_t srccount, const void *srclist,
                                                   size_t srclen) {
    return upcri_vis_ilist(UPCRI_NAME("bupc_memput_ilist_async"), UPCRI_VIS_PUT | UPCRI_VIS_ASYNC, dstcount,
                           dstlist, dstlen, srccount, srclist, srclen);
}
UPCRI_STATIC void bupc_memget_ilist(size_t dstcount, const void *dstlist, size_t dstlen, size_t srccount,
                                    upcr_shared_ptr_t const *srclist, size_t srclen) {
    (void)upcri_vis_ilist(UPCRI_NAME("bupc_memget_ilist"), UPCRI_VIS_GET, dstcount, dstlist, dstlen, srccount,
                          srclist, srclen);
}
UPCRI_STATIC bupc_handle_t bupc_memget_ilist_async(size_t dstcount, const void *dstlist, size_t dstlen,
                                                   size_t srccount, upcr_shared_ptr_t const *srclist,
                                                   size_t srclen) {
    return upcri_vis_ilist(UPCRI_NAME("bupc_memget_ilist_async"), UPCRI_VIS_GET | UPCRI_VIS_ASYNC, dstcount,
                           dstlist, dstlen, srccount, srclist, srclen);
}

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
UPCRI_STATIC void bupc_memcpy_fstrided(upcr_shared_ptr_t dstaddr, size_t dstchunklen, size_t dstchunkstride,
                                       size_t dstchunkcount, upcr_shared_ptr_t srcaddr, size_t srcchunklen,
                                       size_t srcchunkstride, size_t srcchunkcount) {
    (void)upcri_vis_fstrided(UPCRI_NAME("bupc_memcpy_fstrided"), UPCRI_VIS_CPY, upcri_vis_shared(dstaddr),
                             dstchunklen, dstchunkstride, dstchunkcount, upcri_vis_shared(srcaddr),
                             srcchunklen, srcchunkstride, srcchunkcount);
}
UPCRI_STATIC bupc_handle_t bupc_memcpy_fstrided_async(upcr_shared_ptr_t dstaddr, size_t dstchunklen,
                                                      size_t dstchunkstride, size_t dstchunkcount,
                                                      upcr_shared_ptr_t srcaddr, size_t srcchunklen,
                                                      size_t srcchunkstride, size_t srcchunkcount) {
    return upcri_vis_fstrided(UPCRI_NAME("bupc_memcpy_fstrided_async"), UPCRI_VIS_CPY | UPCRI_VIS_ASYNC,
                              upcri_vis_shared(dstaddr), dstchunklen, dstchunkstride, dstchunkcount,
                              upcri_vis_shared(srcaddr), srcchunklen, srcchunkstride, srcchunkcount);
}
UPCRI_STATIC void bupc_memput_fstrided(upcr_shared_ptr_t dstaddr, size_t dstchunklen, size_t dstchunkstride,
                                       size_t dstchunkcount, const void *srcaddr, size_t srcchunklen,
                                       size_t srcchunkstride, size_t srcchunkcount) {
    (void)upcri_vis_fstrided(UPCRI_NAME("bupc_memput_fstrided"), UPCRI_VIS_PUT, upcri_vis_shared(dstaddr),
                             dstchunklen, dstchunkstride, dstchunkcount, upcri_vis_local(srcaddr),
                             srcchunklen, srcchunkstride, srcchunkcount);
}
UPCRI_STATIC bupc_handle_t bupc_memput_fstrided_async(upcr_shared_ptr_t dstaddr, size_t dstchunklen,
                                                      size_t dstchunkstride, size_t dstchunkcount,
                                                      const void *srcaddr, size_t srcchunklen,
                                                      size_t srcchunkstride, size_t srcchunkcount) {
    return upcri_vis_fstrided(UPCRI_NAME("bupc_memput_fstrided_async"), UPCRI_VIS_PUT | UPCRI_VIS_ASYNC,
                              upcri_vis_shared(dstaddr), dstchunklen, dstchunkstride, dstchunkcount,
                              upcri_vis_local(srcaddr), srcchunklen, srcchunkstride, srcchunkcount);
}
UPCRI_STATIC void bupc_memget_fstrided(void *dstaddr, size_t dstchunklen, size_t dstchunkstride,
                                       size_t dstchunkcount, upcr_shared_ptr_t srcaddr, size_t srcchunklen,
                                       size_t srcchunkstride, size_t srcchunkcount) {
    (void)upcri_vis_fstrided(UPCRI_NAME("bupc_memget_fstrided"), UPCRI_VIS_GET, upcri_vis_local(dstaddr),
                             dstchunklen, dstchunkstride, dstchunkcount, upcri_vis_shared(srcaddr),
                             srcchunklen, srcchunkstride, srcchunkcount);
}
UPCRI_STATIC bupc_handle_t bupc_memget_fstrided_async(void *dstaddr, size_t dstchunklen,
                                                      size_t dstchunkstride, size_t dstchunkcount,
                                                      upcr_shared_ptr_t srcaddr, size_t srcchunklen,
                                                      size_t srcchunkstride, size_t srcchunkcount) {
    return upcri_vis_fstrided(UPCRI_NAME("bupc_memget_fstrided_async"), UPCRI_VIS_GET | UPCRI_VIS_ASYNC,
                              upcri_vis_local(dstaddr), dstchunklen, dstchunkstride, dstchunkcount,
                              upcri_vis_shared(srcaddr), srcchunklen, srcchunkstride, srcchunkcount);
}

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
UPCRI_STATIC void bupc_memcpy_strided(upcr_shared_ptr_t dstaddr, const size_t dststrides[],
                                      upcr_shared_ptr_t srcaddr, const size_t srcstrides[],
                                      const size_t count[], size_t stridelevels) {
    (void)upcri_vis_strided(UPCRI_NAME("bupc_memcpy_strided"), UPCRI_VIS_CPY, upcri_vis_shared(dstaddr),
                            dststrides, upcri_vis_shared(srcaddr), srcstrides, count, stridelevels);
}
UPCRI_STATIC bupc_handle_t bupc_memcpy_strided_async(upcr_shared_ptr_t dstaddr, const size_t dststrides[],
                                                     upcr_shared_ptr_t srcaddr, const size_t srcstrides[],
                                                     const size_t count[], size_t stridelevels) {
    return upcri_vis_strided(UPCRI_NAME("bupc_memcpy_strided_async"), UPCRI_VIS_CPY | UPCRI_VIS_ASYNC,
                             upcri_vis_shared(dstaddr), dststrides, upcri_vis_shared(srcaddr), srcstrides,
                             count, stridelevels);
}
UPCRI_STATIC void bupc_memput_strided(upcr_shared_ptr_t dstaddr, const size_t dststrides[],
                                      const void *srcaddr, const size_t srcstrides[], const size_t count[],
                                      size_t stridelevels) {
    (void)upcri_vis_strided(UPCRI_NAME("bupc_memput_strided"), UPCRI_VIS_PUT, upcri_vis_shared(dstaddr),
                            dststrides, upcri_vis_local(srcaddr), srcstrides, count, stridelevels);
}
UPCRI_STATIC bupc_handle_t bupc_memput_strided_async(upcr_shared_ptr_t dstaddr, const size_t dststrides[],
                                                     const void *srcaddr, const size_t srcstrides[],
                                                     const size_t count[], size_t stridelevels) {
    return upcri_vis_strided(UPCRI_NAME("bupc_memput_strided_async"), UPCRI_VIS_PUT | UPCRI_VIS_ASYNC,
                             upcri_vis_shared(dstaddr), dststrides, upcri_vis_local(srcaddr), srcstrides,
                             count, stridelevels);
}
UPCRI_STATIC void bupc_memget_strided(void *dstaddr, const size_t dststrides[], upcr_shared_ptr_t srcaddr,
                                      const size_t srcstrides[], const size_t count[], size_t stridelevels) {
    (void)upcri_vis_strided(UPCRI_NAME("bupc_memget_strided"), UPCRI_VIS_GET, upcri_vis_local(dstaddr),
                            dststrides, upcri_vis_shared(srcaddr), srcstrides, count, stridelevels);
}
UPCRI_STATIC bupc_handle_t bupc_memget_strided_async(void *dstaddr, const size_t dststrides[],
                                                     upcr_shared_ptr_t srcaddr, const size_t srcstrides[],
                                                     const size_t count[], size_t stridelevels) {
    return upcri_vis_strided(UPCRI_NAME("bupc_memget_strided_async"), UPCRI_VIS_GET | UPCRI_VIS_ASYNC,
                             upcri_vis_local(dstaddr), dststrides, upcri_vis_shared(srcaddr), srcstrides,
                             count, stridelevels);
}

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
UPCRI_STATIC void bupc_memcpy_strided2d(upcr_shared_ptr_t dstaddr, size_t dstrowstride,
                                        upcr_shared_ptr_t srcaddr, size_t srcrowstride, size_t rowbytes,
                                        size_t rows) {
    size_t count[2];
    count[0] = rowbytes;
    count[1] = rows;
    (void)upcri_vis_strided(UPCRI_NAME("bupc_memcpy_strided2d"), UPCRI_VIS_CPY, upcri_vis_shared(dstaddr),
                            &dstrowstride, upcri_vis_shared(srcaddr), &srcrowstride, count, 1);
}
UPCRI_STATIC bupc_handle_t bupc_memcpy_strided2d_async(upcr_shared_ptr_t dstaddr, size_t dstrowstride,
                                                       upcr_shared_ptr_t srcaddr, size_t srcrowstride,
                                                       size_t rowbytes, size_t rows) {
    size_t count[2];
    count[0] = rowbytes;
    count[1] = rows;
    return upcri_vis_strided(UPCRI_NAME("bupc_memcpy_strided2d_async"), UPCRI_VIS_CPY | UPCRI_VIS_ASYNC,
                             upcri_vis_shared(dstaddr), &dstrowstride, upcri_vis_shared(srcaddr),
                             &srcrowstride, count, 1);
}
UPCRI_STATIC void bupc_memput_strided2d(upcr_shared_ptr_t dstaddr, size_t dstrowstride, const void *srcaddr,
                                        size_t srcrowstride, size_t rowbytes, size_t rows) {
    size_t count[2];
    count[0] = rowbytes;
    count[1] = rows;
    (void)upcri_vis_strided(UPCRI_NAME("bupc_memput_strided2d"), UPCRI_VIS_PUT, upcri_vis_shared(dstaddr),
                            &dstrowstride, upcri_vis_local(srcaddr), &srcrowstride, count, 1);
}
UPCRI_STATIC bupc_handle_t bupc_memput_strided2d_async(upcr_shared_ptr_t dstaddr, size_t dstrowstride,
                                                       const void *srcaddr, size_t srcrowstride,
                                                       size_t rowbytes, size_t rows) {
    size_t count[2];
    count[0] = rowbytes;
    count[1] = rows;
    return upcri_vis_strided(UPCRI_NAME("bupc_memput_strided2d_async"), UPCRI_VIS_PUT | UPCRI_VIS_ASYNC,
                             upcri_vis_shared(dstaddr), &dstrowstride, upcri_vis_local(srcaddr),
                             &srcrowstride, count, 1);
}
UPCRI_STATIC void bupc_memget_strided2d(void *dstaddr, size_t dstrowstride, upcr_shared_ptr_t srcaddr,
                                        size_t srcrowstride, size_t rowbytes, size_t rows) {
    size_t count[2];
    count[0] = rowbytes;
    count[1] = rows;
    (void)upcri_vis_strided(UPCRI_NAME("bupc_memget_strided2d"), UPCRI_VIS_GET, upcri_vis_local(dstaddr),
                            &dstrowstride, upcri_vis_shared(srcaddr), &srcrowstride, count, 1);
}
UPCRI_STATIC bupc_handle_t bupc_memget_strided2d_async(void *dstaddr, size_t dstrowstride,
                                                       upcr_shared_ptr_t srcaddr, size_t srcrowstride,
                                                       size_t rowbytes, size_t rows) {
    size_t count[2];
    count[0] = rowbytes;
    count[1] = rows;
    return upcri_vis_strided(UPCRI_NAME("bupc_memget_strided2d_async"), UPCRI_VIS_GET | UPCRI_VIS_ASYNC,
                             upcri_vis_local(dstaddr), &dstrowstride, upcri_vis_shared(srcaddr),
                             &srcrowstride, count, 1);
}
UPCRI_STATIC void bupc_memcpy_strided3d(upcr_shared_ptr_t dstaddr, size_t dstrowstride, size_t dstplanestride,
                                        upcr_shared_ptr_t srcaddr, size_t srcrowstride, size_t srcplanestride,
                                        size_t rowbytes, size_t rows, size_t planes) {
    size_t count[3], dststrides[2], srcstrides[2];
    count[0] = rowbytes;
    count[1] = rows;
    count[2] = planes;
    dststrides[0] = dstrowstride;
    dststrides[1] = dstplanestride;
    srcstrides[0] = srcrowstride;
    srcstrides[1] = srcplanestride;
    (void)upcri_vis_strided(UPCRI_NAME("bupc_memcpy_strided3d"), UPCRI_VIS_CPY, upcri_vis_shared(dstaddr),
                            dststrides, upcri_vis_shared(srcaddr), srcstrides, count, 2);
}
UPCRI_STATIC bupc_handle_t bupc_memcpy_strided3d_async(upcr_shared_ptr_t dstaddr, size_t dstrowstride,
                                                       size_t dstplanestride, upcr_shared_ptr_t srcaddr,
                                                       size_t srcrowstride, size_t srcplanestride,
                                                       size_t rowbytes, size_t rows, size_t planes) {
    size_t count[3], dststrides[2], srcstrides[2];
    count[0] = rowbytes;
    count[1] = rows;
    count[2] = planes;
    dststrides[0] = dstrowstride;
    dststrides[1] = dstplanestride;
    srcstrides[0] = srcrowstride;
    srcstrides[1] = srcplanestride;
    return upcri_vis_strided(UPCRI_NAME("bupc_memcpy_strided3d_async"), UPCRI_VIS_CPY | UPCRI_VIS_ASYNC,
                             upcri_vis_shared(dstaddr), dststrides, upcri_vis_shared(srcaddr), srcstrides,
                             count, 2);
}
UPCRI_STATIC void bupc_memput_strided3d(upcr_shared_ptr_t dstaddr, size_t dstrowstride, size_t dstplanestride,
                                        const void *srcaddr, size_t srcrowstride, size_t srcplanestride,
                                        size_t rowbytes, size_t rows, size_t planes) {
    size_t count[3], dststrides[2], srcstrides[2];
    count[0] = rowbytes;
    count[1] = rows;
    count[2] = planes;
    dststrides[0] = dstrowstride;
    dststrides[1] = dstplanestride;
    srcstrides[0] = srcrowstride;
    srcstrides[1] = srcplanestride;
    (void)upcri_vis_strided(UPCRI_NAME("bupc_memput_strided3d"), UPCRI_VIS_PUT, upcri_vis_shared(dstaddr),
                            dststrides, upcri_vis_local(srcaddr), srcstrides, count, 2);
}
UPCRI_STATIC bupc_handle_t bupc_memput_strided3d_async(upcr_shared_ptr_t dstaddr, size_t dstrowstride,
                                                       size_t dstplanestride, const void *srcaddr,
                                                       size_t srcrowstride, size_t srcplanestride,
                                                       size_t rowbytes, size_t rows, size_t planes) {
    size_t count[3], dststrides[2], srcstrides[2];
    count[0] = rowbytes;
    count[1] = rows;
    count[2] = planes;
    dststrides[0] = dstrowstride;
    dststrides[1] = dstplanestride;
    srcstrides[0] = srcrowstride;
    srcstrides[1] = srcplanestride;
    return upcri_vis_strided(UPCRI_NAME("bupc_memput_strided3d_async"), UPCRI_VIS_PUT | UPCRI_VIS_ASYNC,
                             upcri_vis_shared(dstaddr), dststrides, upcri_vis_local(srcaddr), srcstrides,
                             count, 2);
}
UPCRI_STATIC void bupc_memget_strided3d(void *dstaddr, size_t dstrowstride, size_t dstplanestride,
                                        upcr_shared_ptr_t srcaddr, size_t srcrowstride, size_t srcplanestride,
                                        size_t rowbytes, size_t rows, size_t planes) {
    size_t count[3], dststrides[2], srcstrides[2];
    count[0] = rowbytes;
    count[1] = rows;
    count[2] = planes;
    dststrides[0] = dstrowstride;
    dststrides[1] = dstplanestride;
    srcstrides[0] = srcrowstride;
    srcstrides[1] = srcplanestride;
    (void)upcri_vis_strided(UPCRI_NAME("bupc_memget_strided3d"), UPCRI_VIS_GET, upcri_vis_local(dstaddr),
                            dststrides, upcri_vis_shared(srcaddr), srcstrides, count, 2);
}
UPCRI_STATIC bupc_handle_t bupc_memget_strided3d_async(void *dstaddr, size_t dstrowstride,
                                                       size_t dstplanestride, upcr_shared_ptr_t srcaddr,
                                                       size_t srcrowstride, size_t srcplanestride,
                                                       size_t rowbytes, size_t rows, size_t planes) {
    size_t count[3], dststrides[2], srcstrides[2];
    count[0] = rowbytes;
    count[1] = rows;
    count[2] = planes;
    dststrides[0] = dstrowstride;
    dststrides[1] = dstplanestride;
    srcstrides[0] = srcrowstride;
    srcstrides[1] = srcplanestride;
    return upcri_vis_strided(UPCRI_NAME("bupc_memget_strided3d_async"), UPCRI_VIS_GET | UPCRI_VIS_ASYNC,
                             upcri_vis_local(dstaddr), dststrides, upcri_vis_shared(srcaddr), srcstrides,
                             count, 2);
}

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
UPCRI_STATIC void bupc_memcpy_transpose(upcr_shared_ptr_t dstaddr, const ptrdiff_t dststrides[],
                                        upcr_shared_ptr_t srcaddr, const ptrdiff_t srcstrides[],
                                        const size_t count[], size_t stridelevels) {
    (void)upcri_vis_transpose(UPCRI_NAME("bupc_memcpy_transpose"), UPCRI_VIS_CPY, upcri_vis_shared(dstaddr),
                              dststrides, upcri_vis_shared(srcaddr), srcstrides, count, stridelevels);
}
UPCRI_STATIC bupc_handle_t bupc_memcpy_transpose_async(upcr_shared_ptr_t dstaddr,
                                                       const ptrdiff_t dststrides[],
                                                       upcr_shared_ptr_t srcaddr,
                                                       const ptrdiff_t srcstrides[], const size_t count[],
                                                       size_t stridelevels) {
    return upcri_vis_transpose(UPCRI_NAME("bupc_memcpy_transpose_async"), UPCRI_VIS_CPY | UPCRI_VIS_ASYNC,
                               upcri_vis_shared(dstaddr), dststrides, upcri_vis_shared(srcaddr), srcstrides,
                               count, stridelevels);
}
UPCRI_STATIC void bupc_memput_transpose(upcr_shared_ptr_t dstaddr, const ptrdiff_t dststrides[],
                                        const void *srcaddr, const ptrdiff_t srcstrides[],
                                        const size_t count[], size_t stridelevels) {
    (void)upcri_vis_transpose(UPCRI_NAME("bupc_memput_transpose"), UPCRI_VIS_PUT, upcri_vis_shared(dstaddr),
                              dststrides, upcri_vis_local(srcaddr), srcstrides, count, stridelevels);
}
UPCRI_STATIC bupc_handle_t bupc_memput_transpose_async(upcr_shared_ptr_t dstaddr,
                                                       const ptrdiff_t dststrides[], const void *srcaddr,
                                                       const ptrdiff_t srcstrides[], const size_t count[],
                                                       size_t stridelevels) {
    return upcri_vis_transpose(UPCRI_NAME("bupc_memput_transpose_async"), UPCRI_VIS_PUT | UPCRI_VIS_ASYNC,
                               upcri_vis_shared(dstaddr), dststrides, upcri_vis_local(srcaddr), srcstrides,
                               count, stridelevels);
}
UPCRI_STATIC void bupc_memget_transpose(void *dstaddr, const ptrdiff_t dststrides[],
                                        upcr_shared_ptr_t srcaddr, const ptrdiff_t srcstrides[],
                                        const size_t count[], size_t stridelevels) {
    (void)upcri_vis_transpose(UPCRI_NAME("bupc_memget_transpose"), UPCRI_VIS_GET, upcri_vis_local(dstaddr),
                              dststrides, upcri_vis_shared(srcaddr), srcstrides, count, stridelevels);
}
UPCRI_STATIC bupc_handle_t bupc_memget_transpose_async(void *dstaddr, const ptrdiff_t dststrides[],
                                                       upcr_shared_ptr_t srcaddr,
                                                       const ptrdiff_t srcstrides[], const size_t count[],
                                                       size_t stridelevels) {
    return upcri_vis_transpose(UPCRI_NAME("bupc_memget_transpose_async"), UPCRI_VIS_GET | UPCRI_VIS_ASYNC,
                               upcri_vis_local(dstaddr), dststrides, upcri_vis_shared(srcaddr), srcstrides,
                               count, stridelevels);
}

UPCRI_END_C

#include "upcr_preinclude/bupc_proposal_names.h"

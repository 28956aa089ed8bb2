/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the functions of vis.h. Nothing here is for users. */
#pragma once
#include "upcr/nb_rep.h"

UPCRI_BEGIN_C

/* `how`: which sides are shared, and whether the caller waits. */
#define UPCRI_VIS_SHARED_DST 1
#define UPCRI_VIS_SHARED_SRC 2
#define UPCRI_VIS_CPY (UPCRI_VIS_SHARED_DST | UPCRI_VIS_SHARED_SRC)
#define UPCRI_VIS_PUT UPCRI_VIS_SHARED_DST
#define UPCRI_VIS_GET UPCRI_VIS_SHARED_SRC
#define UPCRI_VIS_ASYNC 4
/* One side of a copy of a section: `how` decides which member is used. */
typedef struct upcri_vis_side {
    upcr_shared_ptr_t shared;
    const void *local;
} upcri_vis_side_t;
UPCRI_STATIC upcri_vis_side_t upcri_vis_shared(upcr_shared_ptr_t p) {
    upcri_vis_side_t side;
    side.shared = p;
    side.local = NULL;
    return side;
}
UPCRI_STATIC upcri_vis_side_t upcri_vis_local(const void *p) {
    upcri_vis_side_t side;
    side.shared = upcr_null_shared;
    side.local = p;
    return side;
}
/* Blocking forms return UPCR_INVALID_HANDLE. `function` is for messages of debug builds. */
UPCRI_API upcr_handle_t upcri_vis_vlist(const char *function, unsigned how, size_t dstcount,
                                        const void *dstlist, size_t srccount, const void *srclist);
UPCRI_API upcr_handle_t upcri_vis_ilist(const char *function, unsigned how, size_t dstcount,
                                        const void *dstlist, size_t dstlen, size_t srccount,
                                        const void *srclist, size_t srclen);
UPCRI_API upcr_handle_t upcri_vis_fstrided(const char *function, unsigned how, upcri_vis_side_t dst,
                                           size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount,
                                           upcri_vis_side_t src, size_t srcchunklen, size_t srcchunkstride,
                                           size_t srcchunkcount);
UPCRI_API upcr_handle_t upcri_vis_strided(const char *function, unsigned how, upcri_vis_side_t dst,
                                          const size_t *dststrides, upcri_vis_side_t src,
                                          const size_t *srcstrides, const size_t *count, size_t stridelevels);
/* Two and three dimensions as upcri_vis_strided(). */
UPCRI_STATIC upcr_handle_t upcri_vis_strided2d(const char *function, unsigned how, upcri_vis_side_t dst,
                                               size_t dstrowstride, upcri_vis_side_t src, size_t srcrowstride,
                                               size_t rowbytes, size_t rows) {
    size_t count[2];
    count[0] = rowbytes;
    count[1] = rows;
    return upcri_vis_strided(function, how, dst, &dstrowstride, src, &srcrowstride, count, 1);
}
UPCRI_STATIC upcr_handle_t upcri_vis_strided3d(const char *function, unsigned how, upcri_vis_side_t dst,
                                               size_t dstrowstride, size_t dstplanestride,
                                               upcri_vis_side_t src, size_t srcrowstride,
                                               size_t srcplanestride, size_t rowbytes, size_t rows,
                                               size_t planes) {
    size_t count[3], dststrides[2], srcstrides[2];
    count[0] = rowbytes;
    count[1] = rows;
    count[2] = planes;
    dststrides[0] = dstrowstride;
    dststrides[1] = dstplanestride;
    srcstrides[0] = srcrowstride;
    srcstrides[1] = srcplanestride;
    return upcri_vis_strided(function, how, dst, dststrides, src, srcstrides, count, 2);
}
UPCRI_API upcr_handle_t upcri_vis_transpose(const char *function, unsigned how, upcri_vis_side_t dst,
                                            const ptrdiff_t *dststrides, upcri_vis_side_t src,
                                            const ptrdiff_t *srcstrides, const size_t *count,
                                            size_t stridelevels);

UPCRI_END_C

/*
 * The functions of one family: FAMILY(direction, how, DST, SRC, dst_side, src_side, DST_LIST, SRC_LIST) for
 * each direction, with the types of the two sides and the functions that make an upcri_vis_side_t of each.
 * The types of lists of private addresses differ from those of the addresses.
 */
#define UPCRI_VIS_DIRECTIONS(FAMILY)                                                                       \
    FAMILY(cpy, UPCRI_VIS_CPY, upcr_shared_ptr_t, upcr_shared_ptr_t, upcri_vis_shared, upcri_vis_shared,   \
           upcr_shared_ptr_t const *, upcr_shared_ptr_t const *)                                           \
    FAMILY(put, UPCRI_VIS_PUT, upcr_shared_ptr_t, const void *, upcri_vis_shared, upcri_vis_local,         \
           upcr_shared_ptr_t const *, const void *)                                                        \
    FAMILY(get, UPCRI_VIS_GET, void *, upcr_shared_ptr_t, upcri_vis_local, upcri_vis_shared, const void *, \
           upcr_shared_ptr_t const *)

/* The blocking function and the _async one: parameters in parentheses, then the out-of-line function and what
 * it is passed behind its name and `how`. */
#define UPCRI_VIS_PAIR(name, how, parameters, function, ...)                                   \
    UPCRI_STATIC void name parameters { (void)function(UPCRI_NAME(#name), how, __VA_ARGS__); } \
    UPCRI_STATIC bupc_handle_t name##_async parameters {                                       \
        return function(UPCRI_NAME(#name "_async"), (how) | UPCRI_VIS_ASYNC, __VA_ARGS__);     \
    }

#define UPCRI_VIS_VLIST(direction, how, DST, SRC, dst_side, src_side, DST_LIST, SRC_LIST)        \
    UPCRI_VIS_PAIR(bupc_mem##direction##_vlist, how,                                             \
                   (size_t dstcount, const void *dstlist, size_t srccount, const void *srclist), \
                   upcri_vis_vlist, dstcount, dstlist, srccount, srclist)
#define UPCRI_VIS_ILIST(direction, how, DST, SRC, dst_side, src_side, DST_LIST, SRC_LIST)                \
    UPCRI_VIS_PAIR(bupc_mem##direction##_ilist, how,                                                     \
                   (size_t dstcount, DST_LIST dstlist, size_t dstlen, size_t srccount, SRC_LIST srclist, \
                    size_t srclen),                                                                      \
                   upcri_vis_ilist, dstcount, dstlist, dstlen, srccount, srclist, srclen)
#define UPCRI_VIS_FSTRIDED(direction, how, DST, SRC, dst_side, src_side, DST_LIST, SRC_LIST)          \
    UPCRI_VIS_PAIR(bupc_mem##direction##_fstrided, how,                                               \
                   (DST dstaddr, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount,     \
                    SRC srcaddr, size_t srcchunklen, size_t srcchunkstride, size_t srcchunkcount),    \
                   upcri_vis_fstrided, dst_side(dstaddr), dstchunklen, dstchunkstride, dstchunkcount, \
                   src_side(srcaddr), srcchunklen, srcchunkstride, srcchunkcount)
#define UPCRI_VIS_STRIDED(direction, how, DST, SRC, dst_side, src_side, DST_LIST, SRC_LIST)                \
    UPCRI_VIS_PAIR(bupc_mem##direction##_strided, how,                                                     \
                   (DST dstaddr, const size_t dststrides[], SRC srcaddr, const size_t srcstrides[],        \
                    const size_t count[], size_t stridelevels),                                            \
                   upcri_vis_strided, dst_side(dstaddr), dststrides, src_side(srcaddr), srcstrides, count, \
                   stridelevels)
#define UPCRI_VIS_STRIDED2D(direction, how, DST, SRC, dst_side, src_side, DST_LIST, SRC_LIST)               \
    UPCRI_VIS_PAIR(                                                                                         \
        bupc_mem##direction##_strided2d, how,                                                               \
        (DST dstaddr, size_t dstrowstride, SRC srcaddr, size_t srcrowstride, size_t rowbytes, size_t rows), \
        upcri_vis_strided2d, dst_side(dstaddr), dstrowstride, src_side(srcaddr), srcrowstride, rowbytes,    \
        rows)
#define UPCRI_VIS_STRIDED3D(direction, how, DST, SRC, dst_side, src_side, DST_LIST, SRC_LIST)       \
    UPCRI_VIS_PAIR(                                                                                 \
        bupc_mem##direction##_strided3d, how,                                                       \
        (DST dstaddr, size_t dstrowstride, size_t dstplanestride, SRC srcaddr, size_t srcrowstride, \
         size_t srcplanestride, size_t rowbytes, size_t rows, size_t planes),                       \
        upcri_vis_strided3d, dst_side(dstaddr), dstrowstride, dstplanestride, src_side(srcaddr),    \
        srcrowstride, srcplanestride, rowbytes, rows, planes)
#define UPCRI_VIS_TRANSPOSE(direction, how, DST, SRC, dst_side, src_side, DST_LIST, SRC_LIST)                \
    UPCRI_VIS_PAIR(bupc_mem##direction##_transpose, how,                                                     \
                   (DST dstaddr, const ptrdiff_t dststrides[], SRC srcaddr, const ptrdiff_t srcstrides[],    \
                    const size_t count[], size_t stridelevels),                                              \
                   upcri_vis_transpose, dst_side(dstaddr), dststrides, src_side(srcaddr), srcstrides, count, \
                   stridelevels)

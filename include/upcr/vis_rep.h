/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions of vis.h are made of. Nothing here is for users. */
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
UPCRI_API upcr_handle_t upcri_vis_transpose(const char *function, unsigned how, upcri_vis_side_t dst,
                                            const ptrdiff_t *dststrides, upcri_vis_side_t src,
                                            const ptrdiff_t *srcstrides, const size_t *count,
                                            size_t stridelevels);

UPCRI_END_C

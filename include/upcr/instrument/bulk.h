/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bulk copies and fills, blocking and not (bulk.h, async.h). GASP has no event for a fill that does not
 * block.
 */
#pragma once
#include "upcr/async.h"
#include "upcr/bulk.h"
#include "upcr/instrument/span.h"

UPCRI_BEGIN_C

UPCRI_STATIC void upcri_inst_memget(struct upcri_inst at, void *dst, upcr_shared_ptr_t src, size_t n) {
    UPCRI_SPAN(GASP_UPC_MEMGET, (upcr_memget)(dst, src, n), dst, &src, n);
}
UPCRI_STATIC upcr_handle_t upcri_inst_nb_memget(struct upcri_inst at, void *dst, upcr_shared_ptr_t src,
                                                size_t n) {
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMGET_INIT, handle = (upcr_nb_memget)(dst, src, n), handle, dst, &src, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_memget_nb(struct upcri_inst at, void *dst, upcr_shared_ptr_t src,
                                                size_t n) {
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMGET_INIT, handle = (upcr_memget_nb)(dst, src, n), handle, dst, &src, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_bupc_memget_async(struct upcri_inst at, void *dst,
                                                        upcr_shared_ptr_t src, size_t n) {
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMGET_INIT, handle = (bupc_memget_async)(dst, src, n), handle, dst, &src,
                     n);
    return handle;
}
UPCRI_STATIC void upcri_inst_nbi_memget(struct upcri_inst at, void *dst, upcr_shared_ptr_t src, size_t n) {
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMGET_INIT, (upcr_nbi_memget)(dst, src, n), UPCR_INVALID_HANDLE, dst, &src,
                     n);
}
UPCRI_STATIC void upcri_inst_bupc_memget_asynci(struct upcri_inst at, void *dst, upcr_shared_ptr_t src,
                                                size_t n) {
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMGET_INIT, (bupc_memget_asynci)(dst, src, n), UPCR_INVALID_HANDLE, dst,
                     &src, n);
}
UPCRI_STATIC void upcri_inst_memput(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src, size_t n) {
    UPCRI_SPAN(GASP_UPC_MEMPUT, (upcr_memput)(dst, src, n), &dst, src, n);
}
UPCRI_STATIC upcr_handle_t upcri_inst_nb_memput(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src,
                                                size_t n) {
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMPUT_INIT, handle = (upcr_nb_memput)(dst, src, n), handle, &dst, src, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_memput_nb(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src,
                                                size_t n) {
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMPUT_INIT, handle = (upcr_memput_nb)(dst, src, n), handle, &dst, src, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_bupc_memput_async(struct upcri_inst at, upcr_shared_ptr_t dst,
                                                        const void *src, size_t n) {
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMPUT_INIT, handle = (bupc_memput_async)(dst, src, n), handle, &dst, src,
                     n);
    return handle;
}
UPCRI_STATIC void upcri_inst_nbi_memput(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src,
                                        size_t n) {
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMPUT_INIT, (upcr_nbi_memput)(dst, src, n), UPCR_INVALID_HANDLE, &dst, src,
                     n);
}
UPCRI_STATIC void upcri_inst_bupc_memput_asynci(struct upcri_inst at, upcr_shared_ptr_t dst, const void *src,
                                                size_t n) {
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMPUT_INIT, (bupc_memput_asynci)(dst, src, n), UPCR_INVALID_HANDLE, &dst,
                     src, n);
}
UPCRI_STATIC void upcri_inst_memcpy(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
                                    size_t n) {
    UPCRI_SPAN(GASP_UPC_MEMCPY, (upcr_memcpy)(dst, src, n), &dst, &src, n);
}
UPCRI_STATIC upcr_handle_t upcri_inst_nb_memcpy(struct upcri_inst at, upcr_shared_ptr_t dst,
                                                upcr_shared_ptr_t src, size_t n) {
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMCPY_INIT, handle = (upcr_nb_memcpy)(dst, src, n), handle, &dst, &src, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_memcpy_nb(struct upcri_inst at, upcr_shared_ptr_t dst,
                                                upcr_shared_ptr_t src, size_t n) {
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMCPY_INIT, handle = (upcr_memcpy_nb)(dst, src, n), handle, &dst, &src, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_bupc_memcpy_async(struct upcri_inst at, upcr_shared_ptr_t dst,
                                                        upcr_shared_ptr_t src, size_t n) {
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMCPY_INIT, handle = (bupc_memcpy_async)(dst, src, n), handle, &dst, &src,
                     n);
    return handle;
}
UPCRI_STATIC void upcri_inst_nbi_memcpy(struct upcri_inst at, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
                                        size_t n) {
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMCPY_INIT, (upcr_nbi_memcpy)(dst, src, n), UPCR_INVALID_HANDLE, &dst,
                     &src, n);
}
UPCRI_STATIC void upcri_inst_bupc_memcpy_asynci(struct upcri_inst at, upcr_shared_ptr_t dst,
                                                upcr_shared_ptr_t src, size_t n) {
    UPCRI_SPAN_GIVES(GASP_BUPC_NB_MEMCPY_INIT, (bupc_memcpy_asynci)(dst, src, n), UPCR_INVALID_HANDLE, &dst,
                     &src, n);
}
UPCRI_STATIC void upcri_inst_memset(struct upcri_inst at, upcr_shared_ptr_t dst, int c, size_t n) {
    UPCRI_SPAN(GASP_UPC_MEMSET, (upcr_memset)(dst, c, n), &dst, c, n);
}

UPCRI_END_C

#undef upcr_memget
#define upcr_memget(...) upcri_inst_memget(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nb_memget
#define upcr_nb_memget(...) upcri_inst_nb_memget(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memget_nb
#define upcr_memget_nb(...) upcri_inst_memget_nb(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memget_async
#define bupc_memget_async(...) upcri_inst_bupc_memget_async(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nbi_memget
#define upcr_nbi_memget(...) upcri_inst_nbi_memget(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memget_asynci
#define bupc_memget_asynci(...) upcri_inst_bupc_memget_asynci(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memput
#define upcr_memput(...) upcri_inst_memput(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nb_memput
#define upcr_nb_memput(...) upcri_inst_nb_memput(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memput_nb
#define upcr_memput_nb(...) upcri_inst_memput_nb(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memput_async
#define bupc_memput_async(...) upcri_inst_bupc_memput_async(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nbi_memput
#define upcr_nbi_memput(...) upcri_inst_nbi_memput(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memput_asynci
#define bupc_memput_asynci(...) upcri_inst_bupc_memput_asynci(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memcpy
#define upcr_memcpy(...) upcri_inst_memcpy(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nb_memcpy
#define upcr_nb_memcpy(...) upcri_inst_nb_memcpy(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memcpy_nb
#define upcr_memcpy_nb(...) upcri_inst_memcpy_nb(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memcpy_async
#define bupc_memcpy_async(...) upcri_inst_bupc_memcpy_async(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_nbi_memcpy
#define upcr_nbi_memcpy(...) upcri_inst_nbi_memcpy(UPCRI_INST_HERE, __VA_ARGS__)
#undef bupc_memcpy_asynci
#define bupc_memcpy_asynci(...) upcri_inst_bupc_memcpy_asynci(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_memset
#define upcr_memset(...) upcri_inst_memset(UPCRI_INST_HERE, __VA_ARGS__)

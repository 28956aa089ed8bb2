/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The start of non-blocking puts and gets, explicit and implicit (nb.h). An event's handle is null for the
 * latter. A get of a value has no destination yet: null; its handle is reported as that of any other.
 */
#pragma once
#include "upcr/instrument/span.h"
#include "upcr/nb.h"

UPCRI_BEGIN_C

UPCRI_STATIC upcr_handle_t upcri_inst_put_nb_shared(struct upcri_inst at, upcr_shared_ptr_t p,
                                                    ptrdiff_t offset, const void *src, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, handle = (upcr_put_nb_shared)(p, offset, src, n), handle, 1,
                     &where, src, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_get_nb_shared(struct upcri_inst at, void *dst, upcr_shared_ptr_t p,
                                                    ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_GET_INIT, handle = (upcr_get_nb_shared)(dst, p, offset, n), handle, 1, dst,
                     &where, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_put_nb_shared_val(struct upcri_inst at, upcr_shared_ptr_t p,
                                                        ptrdiff_t offset, upcr_register_value_t value,
                                                        size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, handle = (upcr_put_nb_shared_val)(p, offset, value, n), handle, 1,
                     &where, (const void *)&value, n);
    return handle;
}
UPCRI_STATIC upcr_valget_handle_t upcri_inst_get_nb_shared_val(struct upcri_inst at, upcr_shared_ptr_t p,
                                                               ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_valget_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_GET_INIT, handle = (upcr_get_nb_shared_val)(p, offset, n),
                     (upcr_handle_t)handle, 1, (void *)0, &where, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_put_nb_shared_strict(struct upcri_inst at, upcr_shared_ptr_t p,
                                                           ptrdiff_t offset, const void *src, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, handle = (upcr_put_nb_shared_strict)(p, offset, src, n), handle, 0,
                     &where, src, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_get_nb_shared_strict(struct upcri_inst at, void *dst,
                                                           upcr_shared_ptr_t p, ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_GET_INIT, handle = (upcr_get_nb_shared_strict)(dst, p, offset, n), handle, 0,
                     dst, &where, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_put_nb_shared_val_strict(struct upcri_inst at, upcr_shared_ptr_t p,
                                                               ptrdiff_t offset, upcr_register_value_t value,
                                                               size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, handle = (upcr_put_nb_shared_val_strict)(p, offset, value, n),
                     handle, 0, &where, (const void *)&value, n);
    return handle;
}
UPCRI_STATIC upcr_valget_handle_t upcri_inst_get_nb_shared_val_strict(struct upcri_inst at,
                                                                      upcr_shared_ptr_t p, ptrdiff_t offset,
                                                                      size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_valget_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_GET_INIT, handle = (upcr_get_nb_shared_val_strict)(p, offset, n),
                     (upcr_handle_t)handle, 0, (void *)0, &where, n);
    return handle;
}
UPCRI_STATIC void upcri_inst_put_nbi_shared(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset,
                                            const void *src, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, (upcr_put_nbi_shared)(p, offset, src, n), UPCR_INVALID_HANDLE, 1,
                     &where, src, n);
}
UPCRI_STATIC void upcri_inst_get_nbi_shared(struct upcri_inst at, void *dst, upcr_shared_ptr_t p,
                                            ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN_GIVES(GASP_UPC_NB_GET_INIT, (upcr_get_nbi_shared)(dst, p, offset, n), UPCR_INVALID_HANDLE, 1,
                     dst, &where, n);
}
UPCRI_STATIC void upcri_inst_put_nbi_shared_val(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset,
                                                upcr_register_value_t value, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, (upcr_put_nbi_shared_val)(p, offset, value, n),
                     UPCR_INVALID_HANDLE, 1, &where, (const void *)&value, n);
}
UPCRI_STATIC upcr_handle_t upcri_inst_put_nb_pshared(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                     ptrdiff_t offset, const void *src, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, handle = (upcr_put_nb_pshared)(p, offset, src, n), handle, 1,
                     &where, src, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_get_nb_pshared(struct upcri_inst at, void *dst, upcr_pshared_ptr_t p,
                                                     ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_GET_INIT, handle = (upcr_get_nb_pshared)(dst, p, offset, n), handle, 1, dst,
                     &where, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_put_nb_pshared_val(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                         ptrdiff_t offset, upcr_register_value_t value,
                                                         size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, handle = (upcr_put_nb_pshared_val)(p, offset, value, n), handle, 1,
                     &where, (const void *)&value, n);
    return handle;
}
UPCRI_STATIC upcr_valget_handle_t upcri_inst_get_nb_pshared_val(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                                ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_valget_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_GET_INIT, handle = (upcr_get_nb_pshared_val)(p, offset, n),
                     (upcr_handle_t)handle, 1, (void *)0, &where, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_put_nb_pshared_strict(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                            ptrdiff_t offset, const void *src, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, handle = (upcr_put_nb_pshared_strict)(p, offset, src, n), handle,
                     0, &where, src, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_get_nb_pshared_strict(struct upcri_inst at, void *dst,
                                                            upcr_pshared_ptr_t p, ptrdiff_t offset,
                                                            size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_GET_INIT, handle = (upcr_get_nb_pshared_strict)(dst, p, offset, n), handle,
                     0, dst, &where, n);
    return handle;
}
UPCRI_STATIC upcr_handle_t upcri_inst_put_nb_pshared_val_strict(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                                ptrdiff_t offset, upcr_register_value_t value,
                                                                size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, handle = (upcr_put_nb_pshared_val_strict)(p, offset, value, n),
                     handle, 0, &where, (const void *)&value, n);
    return handle;
}
UPCRI_STATIC upcr_valget_handle_t upcri_inst_get_nb_pshared_val_strict(struct upcri_inst at,
                                                                       upcr_pshared_ptr_t p, ptrdiff_t offset,
                                                                       size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_valget_handle_t handle;
    UPCRI_SPAN_GIVES(GASP_UPC_NB_GET_INIT, handle = (upcr_get_nb_pshared_val_strict)(p, offset, n),
                     (upcr_handle_t)handle, 0, (void *)0, &where, n);
    return handle;
}
UPCRI_STATIC void upcri_inst_put_nbi_pshared(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset,
                                             const void *src, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, (upcr_put_nbi_pshared)(p, offset, src, n), UPCR_INVALID_HANDLE, 1,
                     &where, src, n);
}
UPCRI_STATIC void upcri_inst_get_nbi_pshared(struct upcri_inst at, void *dst, upcr_pshared_ptr_t p,
                                             ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN_GIVES(GASP_UPC_NB_GET_INIT, (upcr_get_nbi_pshared)(dst, p, offset, n), UPCR_INVALID_HANDLE, 1,
                     dst, &where, n);
}
UPCRI_STATIC void upcri_inst_put_nbi_pshared_val(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset,
                                                 upcr_register_value_t value, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN_GIVES(GASP_UPC_NB_PUT_INIT, (upcr_put_nbi_pshared_val)(p, offset, value, n),
                     UPCR_INVALID_HANDLE, 1, &where, (const void *)&value, n);
}

UPCRI_END_C

#undef upcr_put_nb_shared
#define upcr_put_nb_shared(...) upcri_inst_put_nb_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_shared
#define upcr_get_nb_shared(...) upcri_inst_get_nb_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_shared_val
#define upcr_put_nb_shared_val(...) upcri_inst_put_nb_shared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_shared_val
#define upcr_get_nb_shared_val(...) upcri_inst_get_nb_shared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_shared_strict
#define upcr_put_nb_shared_strict(...) upcri_inst_put_nb_shared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_shared_strict
#define upcr_get_nb_shared_strict(...) upcri_inst_get_nb_shared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_shared_val_strict
#define upcr_put_nb_shared_val_strict(...) upcri_inst_put_nb_shared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_shared_val_strict
#define upcr_get_nb_shared_val_strict(...) upcri_inst_get_nb_shared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nbi_shared
#define upcr_put_nbi_shared(...) upcri_inst_put_nbi_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nbi_shared
#define upcr_get_nbi_shared(...) upcri_inst_get_nbi_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nbi_shared_val
#define upcr_put_nbi_shared_val(...) upcri_inst_put_nbi_shared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_pshared
#define upcr_put_nb_pshared(...) upcri_inst_put_nb_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_pshared
#define upcr_get_nb_pshared(...) upcri_inst_get_nb_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_pshared_val
#define upcr_put_nb_pshared_val(...) upcri_inst_put_nb_pshared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_pshared_val
#define upcr_get_nb_pshared_val(...) upcri_inst_get_nb_pshared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_pshared_strict
#define upcr_put_nb_pshared_strict(...) upcri_inst_put_nb_pshared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_pshared_strict
#define upcr_get_nb_pshared_strict(...) upcri_inst_get_nb_pshared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nb_pshared_val_strict
#define upcr_put_nb_pshared_val_strict(...) upcri_inst_put_nb_pshared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nb_pshared_val_strict
#define upcr_get_nb_pshared_val_strict(...) upcri_inst_get_nb_pshared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nbi_pshared
#define upcr_put_nbi_pshared(...) upcri_inst_put_nbi_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_nbi_pshared
#define upcr_get_nbi_pshared(...) upcri_inst_get_nbi_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_nbi_pshared_val
#define upcr_put_nbi_pshared_val(...) upcri_inst_put_nbi_pshared_val(UPCRI_INST_HERE, __VA_ARGS__)

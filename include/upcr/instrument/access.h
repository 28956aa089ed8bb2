/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocking puts and gets between private and shared memory (access.h).
 */
#pragma once
#include "upcr/access.h"
#include "upcr/instrument/span.h"

UPCRI_BEGIN_C

UPCRI_STATIC void upcri_inst_put_shared(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset,
                                        const void *src, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_shared)(p, offset, src, n), 1, &where, src, n);
}
UPCRI_STATIC void upcri_inst_get_shared(struct upcri_inst at, void *dst, upcr_shared_ptr_t p,
                                        ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_GET, (upcr_get_shared)(dst, p, offset, n), 1, dst, &where, n);
}
UPCRI_STATIC void upcri_inst_put_shared_strict(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset,
                                               const void *src, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_shared_strict)(p, offset, src, n), 0, &where, src, n);
}
UPCRI_STATIC void upcri_inst_get_shared_strict(struct upcri_inst at, void *dst, upcr_shared_ptr_t p,
                                               ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_GET, (upcr_get_shared_strict)(dst, p, offset, n), 0, dst, &where, n);
}
UPCRI_STATIC void upcri_inst_put_pshared(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset,
                                         const void *src, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_pshared)(p, offset, src, n), 1, &where, src, n);
}
UPCRI_STATIC void upcri_inst_get_pshared(struct upcri_inst at, void *dst, upcr_pshared_ptr_t p,
                                         ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_GET, (upcr_get_pshared)(dst, p, offset, n), 1, dst, &where, n);
}
UPCRI_STATIC void upcri_inst_put_pshared_strict(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset,
                                                const void *src, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_pshared_strict)(p, offset, src, n), 0, &where, src, n);
}
UPCRI_STATIC void upcri_inst_get_pshared_strict(struct upcri_inst at, void *dst, upcr_pshared_ptr_t p,
                                                ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_GET, (upcr_get_pshared_strict)(dst, p, offset, n), 0, dst, &where, n);
}

UPCRI_END_C

#undef upcr_put_shared
#define upcr_put_shared(...) upcri_inst_put_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared
#define upcr_get_shared(...) upcri_inst_get_shared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_strict
#define upcr_put_shared_strict(...) upcri_inst_put_shared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_strict
#define upcr_get_shared_strict(...) upcri_inst_get_shared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared
#define upcr_put_pshared(...) upcri_inst_put_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared
#define upcr_get_pshared(...) upcri_inst_get_pshared(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_strict
#define upcr_put_pshared_strict(...) upcri_inst_put_pshared_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_strict
#define upcr_get_pshared_strict(...) upcri_inst_get_pshared_strict(UPCRI_INST_HERE, __VA_ARGS__)

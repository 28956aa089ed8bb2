/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocking puts and gets of values in registers, floats and doubles (val.h).
 */
#pragma once
#include "upcr/instrument/span.h"
#include "upcr/val.h"

UPCRI_BEGIN_C

UPCRI_STATIC void upcri_inst_put_shared_val(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset,
                                            upcr_register_value_t value, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_shared_val)(p, offset, value, n), 1, &where, (const void *)&value, n);
}
UPCRI_STATIC upcr_register_value_t upcri_inst_get_shared_val(struct upcri_inst at, upcr_shared_ptr_t p,
                                                             ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_register_value_t value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_shared_val)(p, offset, n), 1, (void *)&value, &where, n);
    return value;
}
UPCRI_STATIC void upcri_inst_put_shared_floatval(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset,
                                                 float value) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_shared_floatval)(p, offset, value), 1, &where, (const void *)&value,
               sizeof value);
}
UPCRI_STATIC float upcri_inst_get_shared_floatval(struct upcri_inst at, upcr_shared_ptr_t p,
                                                  ptrdiff_t offset) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    float value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_shared_floatval)(p, offset), 1, (void *)&value, &where,
               sizeof value);
    return value;
}
UPCRI_STATIC void upcri_inst_put_shared_doubleval(struct upcri_inst at, upcr_shared_ptr_t p, ptrdiff_t offset,
                                                  double value) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_shared_doubleval)(p, offset, value), 1, &where, (const void *)&value,
               sizeof value);
}
UPCRI_STATIC double upcri_inst_get_shared_doubleval(struct upcri_inst at, upcr_shared_ptr_t p,
                                                    ptrdiff_t offset) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    double value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_shared_doubleval)(p, offset), 1, (void *)&value, &where,
               sizeof value);
    return value;
}
UPCRI_STATIC void upcri_inst_put_shared_val_strict(struct upcri_inst at, upcr_shared_ptr_t p,
                                                   ptrdiff_t offset, upcr_register_value_t value, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_shared_val_strict)(p, offset, value, n), 0, &where,
               (const void *)&value, n);
}
UPCRI_STATIC upcr_register_value_t upcri_inst_get_shared_val_strict(struct upcri_inst at, upcr_shared_ptr_t p,
                                                                    ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    upcr_register_value_t value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_shared_val_strict)(p, offset, n), 0, (void *)&value, &where,
               n);
    return value;
}
UPCRI_STATIC void upcri_inst_put_shared_floatval_strict(struct upcri_inst at, upcr_shared_ptr_t p,
                                                        ptrdiff_t offset, float value) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_shared_floatval_strict)(p, offset, value), 0, &where,
               (const void *)&value, sizeof value);
}
UPCRI_STATIC float upcri_inst_get_shared_floatval_strict(struct upcri_inst at, upcr_shared_ptr_t p,
                                                         ptrdiff_t offset) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    float value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_shared_floatval_strict)(p, offset), 0, (void *)&value, &where,
               sizeof value);
    return value;
}
UPCRI_STATIC void upcri_inst_put_shared_doubleval_strict(struct upcri_inst at, upcr_shared_ptr_t p,
                                                         ptrdiff_t offset, double value) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_shared_doubleval_strict)(p, offset, value), 0, &where,
               (const void *)&value, sizeof value);
}
UPCRI_STATIC double upcri_inst_get_shared_doubleval_strict(struct upcri_inst at, upcr_shared_ptr_t p,
                                                           ptrdiff_t offset) {
    const upcr_shared_ptr_t where = upcri_inst_add(p, offset);
    at = upcri_inst_access(at, where);
    double value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_shared_doubleval_strict)(p, offset), 0, (void *)&value, &where,
               sizeof value);
    return value;
}
UPCRI_STATIC void upcri_inst_put_pshared_val(struct upcri_inst at, upcr_pshared_ptr_t p, ptrdiff_t offset,
                                             upcr_register_value_t value, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_pshared_val)(p, offset, value, n), 1, &where, (const void *)&value, n);
}
UPCRI_STATIC upcr_register_value_t upcri_inst_get_pshared_val(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                              ptrdiff_t offset, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_register_value_t value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_pshared_val)(p, offset, n), 1, (void *)&value, &where, n);
    return value;
}
UPCRI_STATIC void upcri_inst_put_pshared_floatval(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                  ptrdiff_t offset, float value) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_pshared_floatval)(p, offset, value), 1, &where, (const void *)&value,
               sizeof value);
}
UPCRI_STATIC float upcri_inst_get_pshared_floatval(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                   ptrdiff_t offset) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    float value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_pshared_floatval)(p, offset), 1, (void *)&value, &where,
               sizeof value);
    return value;
}
UPCRI_STATIC void upcri_inst_put_pshared_doubleval(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                   ptrdiff_t offset, double value) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_pshared_doubleval)(p, offset, value), 1, &where, (const void *)&value,
               sizeof value);
}
UPCRI_STATIC double upcri_inst_get_pshared_doubleval(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                     ptrdiff_t offset) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    double value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_pshared_doubleval)(p, offset), 1, (void *)&value, &where,
               sizeof value);
    return value;
}
UPCRI_STATIC void upcri_inst_put_pshared_val_strict(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                    ptrdiff_t offset, upcr_register_value_t value, size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_pshared_val_strict)(p, offset, value, n), 0, &where,
               (const void *)&value, n);
}
UPCRI_STATIC upcr_register_value_t upcri_inst_get_pshared_val_strict(struct upcri_inst at,
                                                                     upcr_pshared_ptr_t p, ptrdiff_t offset,
                                                                     size_t n) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    upcr_register_value_t value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_pshared_val_strict)(p, offset, n), 0, (void *)&value, &where,
               n);
    return value;
}
UPCRI_STATIC void upcri_inst_put_pshared_floatval_strict(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                         ptrdiff_t offset, float value) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_pshared_floatval_strict)(p, offset, value), 0, &where,
               (const void *)&value, sizeof value);
}
UPCRI_STATIC float upcri_inst_get_pshared_floatval_strict(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                          ptrdiff_t offset) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    float value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_pshared_floatval_strict)(p, offset), 0, (void *)&value, &where,
               sizeof value);
    return value;
}
UPCRI_STATIC void upcri_inst_put_pshared_doubleval_strict(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                          ptrdiff_t offset, double value) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    UPCRI_SPAN(GASP_UPC_PUT, (upcr_put_pshared_doubleval_strict)(p, offset, value), 0, &where,
               (const void *)&value, sizeof value);
}
UPCRI_STATIC double upcri_inst_get_pshared_doubleval_strict(struct upcri_inst at, upcr_pshared_ptr_t p,
                                                            ptrdiff_t offset) {
    const upcr_shared_ptr_t where = upcri_inst_add(upcr_pshared_to_shared(p), offset);
    at = upcri_inst_access(at, where);
    double value = 0;
    UPCRI_SPAN(GASP_UPC_GET, value = (upcr_get_pshared_doubleval_strict)(p, offset), 0, (void *)&value,
               &where, sizeof value);
    return value;
}

UPCRI_END_C

#undef upcr_put_shared_val
#define upcr_put_shared_val(...) upcri_inst_put_shared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_val
#define upcr_get_shared_val(...) upcri_inst_get_shared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_floatval
#define upcr_put_shared_floatval(...) upcri_inst_put_shared_floatval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_floatval
#define upcr_get_shared_floatval(...) upcri_inst_get_shared_floatval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_doubleval
#define upcr_put_shared_doubleval(...) upcri_inst_put_shared_doubleval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_doubleval
#define upcr_get_shared_doubleval(...) upcri_inst_get_shared_doubleval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_val_strict
#define upcr_put_shared_val_strict(...) upcri_inst_put_shared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_val_strict
#define upcr_get_shared_val_strict(...) upcri_inst_get_shared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_floatval_strict
#define upcr_put_shared_floatval_strict(...) \
    upcri_inst_put_shared_floatval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_floatval_strict
#define upcr_get_shared_floatval_strict(...) \
    upcri_inst_get_shared_floatval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_shared_doubleval_strict
#define upcr_put_shared_doubleval_strict(...) \
    upcri_inst_put_shared_doubleval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_shared_doubleval_strict
#define upcr_get_shared_doubleval_strict(...) \
    upcri_inst_get_shared_doubleval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_val
#define upcr_put_pshared_val(...) upcri_inst_put_pshared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_val
#define upcr_get_pshared_val(...) upcri_inst_get_pshared_val(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_floatval
#define upcr_put_pshared_floatval(...) upcri_inst_put_pshared_floatval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_floatval
#define upcr_get_pshared_floatval(...) upcri_inst_get_pshared_floatval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_doubleval
#define upcr_put_pshared_doubleval(...) upcri_inst_put_pshared_doubleval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_doubleval
#define upcr_get_pshared_doubleval(...) upcri_inst_get_pshared_doubleval(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_val_strict
#define upcr_put_pshared_val_strict(...) upcri_inst_put_pshared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_val_strict
#define upcr_get_pshared_val_strict(...) upcri_inst_get_pshared_val_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_floatval_strict
#define upcr_put_pshared_floatval_strict(...) \
    upcri_inst_put_pshared_floatval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_floatval_strict
#define upcr_get_pshared_floatval_strict(...) \
    upcri_inst_get_pshared_floatval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_put_pshared_doubleval_strict
#define upcr_put_pshared_doubleval_strict(...) \
    upcri_inst_put_pshared_doubleval_strict(UPCRI_INST_HERE, __VA_ARGS__)
#undef upcr_get_pshared_doubleval_strict
#define upcr_get_pshared_doubleval_strict(...) \
    upcri_inst_get_pshared_doubleval_strict(UPCRI_INST_HERE, __VA_ARGS__)

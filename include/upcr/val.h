/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocking access to shared memory from and to registers (UPC Runtime specification, "Register-memory
 * operations", since 3.0; float and double forms):
 *
 *   void upcr_put_KIND_val(PTR dest, ptrdiff_t destoffset, upcr_register_value_t value, size_t nbytes)
 *   upcr_register_value_t upcr_get_KIND_val(PTR src, ptrdiff_t srcoffset, size_t nbytes)
 *   void upcr_put_KIND_floatval(PTR dest, ptrdiff_t destoffset, float value)
 *   float upcr_get_KIND_floatval(PTR src, ptrdiff_t srcoffset)
 *   void upcr_put_KIND_doubleval(PTR dest, ptrdiff_t destoffset, double value)
 *   double upcr_get_KIND_doubleval(PTR src, ptrdiff_t srcoffset)
 *
 *   KIND, PTR     shared and upcr_shared_ptr_t, or pshared and upcr_pshared_ptr_t (no phase: blocks of one
 *                 element or of the whole array)
 *   dest, src     the shared object; a byte offset of either sign is added to it
 *   value         a put writes its low 8 * nbytes bits; a get returns the bytes filled up with zeros
 *   nbytes        1 to SIZEOF_UPCR_REGISTER_VALUE_T; a constant where possible
 *
 * Each exists with the suffix _strict too: the strict form.
 *
 * Completion, order, atomicity, threads and errors: as access.h. Debug: a size out of range and a
 * misaligned object of 2, 4 or 8 bytes are fatal too. Non-blocking forms are in nb.h.
 */
#pragma once
#include "upcr/access_rep.h"

UPCRI_BEGIN_C

UPCRI_STATIC void upcr_put_shared_val(upcr_shared_ptr_t dest, ptrdiff_t destoffset,
                                      upcr_register_value_t value, size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_put_shared_val", dest, destoffset, nbytes, UPCRI_ACCESS_VALUE);
    upcri_put_val(dest, destoffset, 1, value, nbytes);
}
UPCRI_STATIC void upcr_put_pshared_val(upcr_pshared_ptr_t dest, ptrdiff_t destoffset,
                                       upcr_register_value_t value, size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_put_pshared_val", upcri_with_phase(dest, 0), destoffset, nbytes,
                       UPCRI_ACCESS_VALUE);
    upcri_put_val(upcri_with_phase(dest, 0), destoffset, 0, value, nbytes);
}
UPCRI_STATIC upcr_register_value_t upcr_get_shared_val(upcr_shared_ptr_t src, ptrdiff_t srcoffset,
                                                       size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_get_shared_val", src, srcoffset, nbytes, UPCRI_ACCESS_VALUE);
    return upcri_get_val(src, srcoffset, 1, nbytes);
}
UPCRI_STATIC upcr_register_value_t upcr_get_pshared_val(upcr_pshared_ptr_t src, ptrdiff_t srcoffset,
                                                        size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_get_pshared_val", upcri_with_phase(src, 0), srcoffset, nbytes,
                       UPCRI_ACCESS_VALUE);
    return upcri_get_val(upcri_with_phase(src, 0), srcoffset, 0, nbytes);
}

/* The same, strict. */
UPCRI_STATIC void upcr_put_shared_val_strict(upcr_shared_ptr_t dest, ptrdiff_t destoffset,
                                             upcr_register_value_t value, size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_put_shared_val_strict", dest, destoffset, nbytes,
                       UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    UPCRI_FENCE_BEFORE_PUT();
    upcri_put_val(dest, destoffset, 1, value, nbytes);
    UPCRI_FENCE_AFTER_PUT();
}
UPCRI_STATIC void upcr_put_pshared_val_strict(upcr_pshared_ptr_t dest, ptrdiff_t destoffset,
                                              upcr_register_value_t value, size_t nbytes) {
    UPCRI_CHECK_ACCESS("upcr_put_pshared_val_strict", upcri_with_phase(dest, 0), destoffset, nbytes,
                       UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    UPCRI_FENCE_BEFORE_PUT();
    upcri_put_val(upcri_with_phase(dest, 0), destoffset, 0, value, nbytes);
    UPCRI_FENCE_AFTER_PUT();
}
UPCRI_STATIC upcr_register_value_t upcr_get_shared_val_strict(upcr_shared_ptr_t src, ptrdiff_t srcoffset,
                                                              size_t nbytes) {
    upcr_register_value_t value;
    UPCRI_CHECK_ACCESS("upcr_get_shared_val_strict", src, srcoffset, nbytes,
                       UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    upcri_before_strict_get();
    value = upcri_get_val(src, srcoffset, 1, nbytes);
    UPCRI_FENCE_AFTER_GET();
    return value;
}
UPCRI_STATIC upcr_register_value_t upcr_get_pshared_val_strict(upcr_pshared_ptr_t src, ptrdiff_t srcoffset,
                                                               size_t nbytes) {
    upcr_register_value_t value;
    UPCRI_CHECK_ACCESS("upcr_get_pshared_val_strict", upcri_with_phase(src, 0), srcoffset, nbytes,
                       UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    upcri_before_strict_get();
    value = upcri_get_val(upcri_with_phase(src, 0), srcoffset, 0, nbytes);
    UPCRI_FENCE_AFTER_GET();
    return value;
}

/* One float. */
UPCRI_STATIC void upcr_put_shared_floatval(upcr_shared_ptr_t dest, ptrdiff_t destoffset, float value) {
    UPCRI_CHECK_ACCESS("upcr_put_shared_floatval", dest, destoffset, sizeof value, UPCRI_ACCESS_VALUE);
    upcri_put(dest, destoffset, 1, &value, sizeof value);
}
UPCRI_STATIC void upcr_put_pshared_floatval(upcr_pshared_ptr_t dest, ptrdiff_t destoffset, float value) {
    UPCRI_CHECK_ACCESS("upcr_put_pshared_floatval", upcri_with_phase(dest, 0), destoffset, sizeof value,
                       UPCRI_ACCESS_VALUE);
    upcri_put(upcri_with_phase(dest, 0), destoffset, 0, &value, sizeof value);
}
UPCRI_STATIC float upcr_get_shared_floatval(upcr_shared_ptr_t src, ptrdiff_t srcoffset) {
    float value;
    UPCRI_CHECK_ACCESS("upcr_get_shared_floatval", src, srcoffset, sizeof value, UPCRI_ACCESS_VALUE);
    upcri_get(&value, src, srcoffset, 1, sizeof value);
    return value;
}
UPCRI_STATIC float upcr_get_pshared_floatval(upcr_pshared_ptr_t src, ptrdiff_t srcoffset) {
    float value;
    UPCRI_CHECK_ACCESS("upcr_get_pshared_floatval", upcri_with_phase(src, 0), srcoffset, sizeof value,
                       UPCRI_ACCESS_VALUE);
    upcri_get(&value, upcri_with_phase(src, 0), srcoffset, 0, sizeof value);
    return value;
}
UPCRI_STATIC void upcr_put_shared_floatval_strict(upcr_shared_ptr_t dest, ptrdiff_t destoffset, float value) {
    UPCRI_CHECK_ACCESS("upcr_put_shared_floatval_strict", dest, destoffset, sizeof value,
                       UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    UPCRI_FENCE_BEFORE_PUT();
    upcri_put(dest, destoffset, 1, &value, sizeof value);
    UPCRI_FENCE_AFTER_PUT();
}
UPCRI_STATIC void upcr_put_pshared_floatval_strict(upcr_pshared_ptr_t dest, ptrdiff_t destoffset,
                                                   float value) {
    UPCRI_CHECK_ACCESS("upcr_put_pshared_floatval_strict", upcri_with_phase(dest, 0), destoffset,
                       sizeof value, UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    UPCRI_FENCE_BEFORE_PUT();
    upcri_put(upcri_with_phase(dest, 0), destoffset, 0, &value, sizeof value);
    UPCRI_FENCE_AFTER_PUT();
}
UPCRI_STATIC float upcr_get_shared_floatval_strict(upcr_shared_ptr_t src, ptrdiff_t srcoffset) {
    float value;
    UPCRI_CHECK_ACCESS("upcr_get_shared_floatval_strict", src, srcoffset, sizeof value,
                       UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    upcri_before_strict_get();
    upcri_get(&value, src, srcoffset, 1, sizeof value);
    UPCRI_FENCE_AFTER_GET();
    return value;
}
UPCRI_STATIC float upcr_get_pshared_floatval_strict(upcr_pshared_ptr_t src, ptrdiff_t srcoffset) {
    float value;
    UPCRI_CHECK_ACCESS("upcr_get_pshared_floatval_strict", upcri_with_phase(src, 0), srcoffset, sizeof value,
                       UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    upcri_before_strict_get();
    upcri_get(&value, upcri_with_phase(src, 0), srcoffset, 0, sizeof value);
    UPCRI_FENCE_AFTER_GET();
    return value;
}

/* One double. */
UPCRI_STATIC void upcr_put_shared_doubleval(upcr_shared_ptr_t dest, ptrdiff_t destoffset, double value) {
    UPCRI_CHECK_ACCESS("upcr_put_shared_doubleval", dest, destoffset, sizeof value, UPCRI_ACCESS_VALUE);
    upcri_put(dest, destoffset, 1, &value, sizeof value);
}
UPCRI_STATIC void upcr_put_pshared_doubleval(upcr_pshared_ptr_t dest, ptrdiff_t destoffset, double value) {
    UPCRI_CHECK_ACCESS("upcr_put_pshared_doubleval", upcri_with_phase(dest, 0), destoffset, sizeof value,
                       UPCRI_ACCESS_VALUE);
    upcri_put(upcri_with_phase(dest, 0), destoffset, 0, &value, sizeof value);
}
UPCRI_STATIC double upcr_get_shared_doubleval(upcr_shared_ptr_t src, ptrdiff_t srcoffset) {
    double value;
    UPCRI_CHECK_ACCESS("upcr_get_shared_doubleval", src, srcoffset, sizeof value, UPCRI_ACCESS_VALUE);
    upcri_get(&value, src, srcoffset, 1, sizeof value);
    return value;
}
UPCRI_STATIC double upcr_get_pshared_doubleval(upcr_pshared_ptr_t src, ptrdiff_t srcoffset) {
    double value;
    UPCRI_CHECK_ACCESS("upcr_get_pshared_doubleval", upcri_with_phase(src, 0), srcoffset, sizeof value,
                       UPCRI_ACCESS_VALUE);
    upcri_get(&value, upcri_with_phase(src, 0), srcoffset, 0, sizeof value);
    return value;
}
UPCRI_STATIC void upcr_put_shared_doubleval_strict(upcr_shared_ptr_t dest, ptrdiff_t destoffset,
                                                   double value) {
    UPCRI_CHECK_ACCESS("upcr_put_shared_doubleval_strict", dest, destoffset, sizeof value,
                       UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    UPCRI_FENCE_BEFORE_PUT();
    upcri_put(dest, destoffset, 1, &value, sizeof value);
    UPCRI_FENCE_AFTER_PUT();
}
UPCRI_STATIC void upcr_put_pshared_doubleval_strict(upcr_pshared_ptr_t dest, ptrdiff_t destoffset,
                                                    double value) {
    UPCRI_CHECK_ACCESS("upcr_put_pshared_doubleval_strict", upcri_with_phase(dest, 0), destoffset,
                       sizeof value, UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    UPCRI_FENCE_BEFORE_PUT();
    upcri_put(upcri_with_phase(dest, 0), destoffset, 0, &value, sizeof value);
    UPCRI_FENCE_AFTER_PUT();
}
UPCRI_STATIC double upcr_get_shared_doubleval_strict(upcr_shared_ptr_t src, ptrdiff_t srcoffset) {
    double value;
    UPCRI_CHECK_ACCESS("upcr_get_shared_doubleval_strict", src, srcoffset, sizeof value,
                       UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    upcri_before_strict_get();
    upcri_get(&value, src, srcoffset, 1, sizeof value);
    UPCRI_FENCE_AFTER_GET();
    return value;
}
UPCRI_STATIC double upcr_get_pshared_doubleval_strict(upcr_pshared_ptr_t src, ptrdiff_t srcoffset) {
    double value;
    UPCRI_CHECK_ACCESS("upcr_get_pshared_doubleval_strict", upcri_with_phase(src, 0), srcoffset, sizeof value,
                       UPCRI_ACCESS_VALUE | UPCRI_ACCESS_STRICT);
    upcri_before_strict_get();
    upcri_get(&value, upcri_with_phase(src, 0), srcoffset, 0, sizeof value);
    UPCRI_FENCE_AFTER_GET();
    return value;
}

UPCRI_END_C

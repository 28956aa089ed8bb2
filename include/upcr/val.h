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
#include "upcr/val_rep.h"

UPCRI_BEGIN_C

UPCRI_VAL_FUNCTIONS(_shared, upcr_shared_ptr_t, UPCRI_PHASED, 1)
UPCRI_VAL_FUNCTIONS(_pshared, upcr_pshared_ptr_t, UPCRI_PHASELESS, 0)

UPCRI_END_C

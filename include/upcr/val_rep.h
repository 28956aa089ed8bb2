/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the functions of val.h. Nothing here is for users. */
#pragma once
#include "upcr/access_rep.h"

/* A pointer of either kind as one with a phase. */
#define UPCRI_PHASED(p) (p)
#define UPCRI_PHASELESS(p) upcri_with_phase(p, 0)

/*
 * The functions of one kind of pointer: KIND in their names, with _ before it because some compilers define shared, PTR its type, SHARED(p) the same pointer with a
 * phase, PHASED 1 if that phase may be other than 0. STRICT is a constant: relaxed functions have no fence.
 */
#define UPCRI_VAL_FUNCTIONS(KIND, PTR, SHARED, PHASED)                              \
    UPCRI_VAL_REGISTER(KIND, , PTR, SHARED, PHASED, 0)                              \
    UPCRI_VAL_REGISTER(KIND, _strict, PTR, SHARED, PHASED, UPCRI_ACCESS_STRICT)     \
    UPCRI_VAL_TYPED(KIND, float, , PTR, SHARED, PHASED, 0)                          \
    UPCRI_VAL_TYPED(KIND, float, _strict, PTR, SHARED, PHASED, UPCRI_ACCESS_STRICT) \
    UPCRI_VAL_TYPED(KIND, double, , PTR, SHARED, PHASED, 0)                         \
    UPCRI_VAL_TYPED(KIND, double, _strict, PTR, SHARED, PHASED, UPCRI_ACCESS_STRICT)

#define UPCRI_VAL_REGISTER(KIND, SUFFIX, PTR, SHARED, PHASED, STRICT)                             \
    UPCRI_STATIC void upcr_put##KIND##_val##SUFFIX(PTR dest, ptrdiff_t destoffset,                \
                                                   upcr_register_value_t value, size_t nbytes) {  \
        UPCRI_CHECK_ACCESS("upcr_put" #KIND "_val" #SUFFIX, SHARED(dest), destoffset, nbytes,     \
                           UPCRI_ACCESS_VALUE | STRICT);                                          \
        if (STRICT) UPCRI_FENCE_BEFORE_PUT();                                                     \
        upcri_put_val(SHARED(dest), destoffset, PHASED, value, nbytes);                           \
        if (STRICT) UPCRI_FENCE_AFTER_PUT();                                                      \
    }                                                                                             \
    UPCRI_STATIC upcr_register_value_t upcr_get##KIND##_val##SUFFIX(PTR src, ptrdiff_t srcoffset, \
                                                                    size_t nbytes) {              \
        upcr_register_value_t value;                                                              \
        UPCRI_CHECK_ACCESS("upcr_get" #KIND "_val" #SUFFIX, SHARED(src), srcoffset, nbytes,       \
                           UPCRI_ACCESS_VALUE | STRICT);                                          \
        if (STRICT) upcri_before_strict_get();                                                    \
        value = upcri_get_val(SHARED(src), srcoffset, PHASED, nbytes);                            \
        if (STRICT) UPCRI_FENCE_AFTER_GET();                                                      \
        return value;                                                                             \
    }

/* One float or double; TYPE is in the names too. */
#define UPCRI_VAL_TYPED(KIND, TYPE, SUFFIX, PTR, SHARED, PHASED, STRICT)                                     \
    UPCRI_STATIC void upcr_put##KIND##_##TYPE##val##SUFFIX(PTR dest, ptrdiff_t destoffset, TYPE value) {     \
        UPCRI_CHECK_ACCESS("upcr_put" #KIND "_" #TYPE "val" #SUFFIX, SHARED(dest), destoffset, sizeof value, \
                           UPCRI_ACCESS_VALUE | STRICT);                                                     \
        if (STRICT) UPCRI_FENCE_BEFORE_PUT();                                                                \
        upcri_put(SHARED(dest), destoffset, PHASED, &value, sizeof value);                                   \
        if (STRICT) UPCRI_FENCE_AFTER_PUT();                                                                 \
    }                                                                                                        \
    UPCRI_STATIC TYPE upcr_get##KIND##_##TYPE##val##SUFFIX(PTR src, ptrdiff_t srcoffset) {                   \
        TYPE value;                                                                                          \
        UPCRI_CHECK_ACCESS("upcr_get" #KIND "_" #TYPE "val" #SUFFIX, SHARED(src), srcoffset, sizeof value,   \
                           UPCRI_ACCESS_VALUE | STRICT);                                                     \
        if (STRICT) upcri_before_strict_get();                                                               \
        upcri_get(&value, SHARED(src), srcoffset, PHASED, sizeof value);                                     \
        if (STRICT) UPCRI_FENCE_AFTER_GET();                                                                 \
        return value;                                                                                        \
    }

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <bupc_atomics.h>: Berkeley UPC's typed atomic operations. UPC source: a front end reads it. Included by C it is
 * upcr.h, which has the same names and documents them (upcr/atomic.h).
 *
 * bupc_atomicC_OP_MODE for C of I UI L UL I32 U32 X32 I64 U64 X64 F D. All but set return the value before.
 *   OP    read, set, swap, cswap (the second value where the object has the first), fetchadd; and for integers
 *         mswap (the bits of the mask), fetchand, fetchor, fetchxor, fetchnot
 *   MODE  relaxed; strict; private: on an object at a plain address
 */
#ifndef UPCRI_PREINCLUDE_BUPC_ATOMICS_H
#define UPCRI_PREINCLUDE_BUPC_ATOMICS_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stdint.h>
#include <upc_types.h>

#define BUPC_ATOMIC_ANY_(C, T, MODE, POINTER)                                \
    extern T bupc_atomic##C##_read_##MODE(POINTER ptr);                      \
    extern void bupc_atomic##C##_set_##MODE(POINTER ptr, T val);             \
    extern T bupc_atomic##C##_swap_##MODE(POINTER ptr, T val);               \
    extern T bupc_atomic##C##_cswap_##MODE(POINTER ptr, T oldval, T newval); \
    extern T bupc_atomic##C##_fetchadd_##MODE(POINTER ptr, T val);
#define BUPC_ATOMIC_INT_(C, T, MODE, POINTER)                           \
    BUPC_ATOMIC_ANY_(C, T, MODE, POINTER)                               \
    extern T bupc_atomic##C##_mswap_##MODE(POINTER ptr, T mask, T val); \
    extern T bupc_atomic##C##_fetchand_##MODE(POINTER ptr, T val);      \
    extern T bupc_atomic##C##_fetchor_##MODE(POINTER ptr, T val);       \
    extern T bupc_atomic##C##_fetchxor_##MODE(POINTER ptr, T val);      \
    extern T bupc_atomic##C##_fetchnot_##MODE(POINTER ptr);
#define BUPC_ATOMIC_MODES_(KIND, C, T) \
    KIND(C, T, relaxed, shared void *) \
    KIND(C, T, strict, shared void *)  \
    KIND(C, T, private, void *)

BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, I, int)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, UI, unsigned int)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, L, long)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, UL, unsigned long)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, I32, int32_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, U32, uint32_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, X32, uint32_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, I64, int64_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, U64, uint64_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, X64, uint64_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_ANY_, F, float)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_ANY_, D, double)

#undef BUPC_ATOMIC_ANY_
#undef BUPC_ATOMIC_INT_
#undef BUPC_ATOMIC_MODES_

#endif
#endif

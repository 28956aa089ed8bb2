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

/* Arguments are names that no program defines as macros: <complex.h> has I. */
#define BUPC_ATOMIC_ANY_(NAME, T, MODE, POINTER)                        \
    extern T NAME##_read##MODE(POINTER __ptr);                          \
    extern void NAME##_set##MODE(POINTER __ptr, T __val);               \
    extern T NAME##_swap##MODE(POINTER __ptr, T __val);                 \
    extern T NAME##_cswap##MODE(POINTER __ptr, T __oldval, T __newval); \
    extern T NAME##_fetchadd##MODE(POINTER __ptr, T __val);
#define BUPC_ATOMIC_INT_(NAME, T, MODE, POINTER)                   \
    BUPC_ATOMIC_ANY_(NAME, T, MODE, POINTER)                       \
    extern T NAME##_mswap##MODE(POINTER __ptr, T __mask, T __val); \
    extern T NAME##_fetchand##MODE(POINTER __ptr, T __val);        \
    extern T NAME##_fetchor##MODE(POINTER __ptr, T __val);         \
    extern T NAME##_fetchxor##MODE(POINTER __ptr, T __val);        \
    extern T NAME##_fetchnot##MODE(POINTER __ptr);
#define BUPC_ATOMIC_MODES_(KIND, NAME, T)  \
    KIND(NAME, T, _relaxed, shared void *) \
    KIND(NAME, T, _strict, shared void *)  \
    KIND(NAME, T, _private, void *)

BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, bupc_atomicI, int)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, bupc_atomicUI, unsigned int)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, bupc_atomicL, long)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, bupc_atomicUL, unsigned long)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, bupc_atomicI32, int32_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, bupc_atomicU32, uint32_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, bupc_atomicX32, uint32_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, bupc_atomicI64, int64_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, bupc_atomicU64, uint64_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_INT_, bupc_atomicX64, uint64_t)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_ANY_, bupc_atomicF, float)
BUPC_ATOMIC_MODES_(BUPC_ATOMIC_ANY_, bupc_atomicD, double)

#undef BUPC_ATOMIC_ANY_
#undef BUPC_ATOMIC_INT_
#undef BUPC_ATOMIC_MODES_

#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations: typed ones of Berkeley UPC (<bupc_atomics.h>), and the domains of UPC 1.3 (7.6,
 * <upc_atomic.h>). Both use one mechanism, so they are coherent with each other on the same object,
 * with plain accesses of its size too, except on pointers-to-shared in the layout of 16 bytes. An object must
 * be aligned to its size (a pointer-to-shared to 8). An operation is complete on return: visible to every
 * thread.
 *
 * UPC threads, not in an AM handler. Operations on memory that is not mapped here are done by the owner,
 * which must call the library to make progress. Debug: null and misaligned pointers, memory outside the
 * owner's segment are fatal.
 */
#pragma once
#include "upcr/atomic_rep.h"
#include "upcr_preinclude/upc_types.h"

UPCRI_BEGIN_C

/*
 * bupc_atomic{I,UI,L,UL,I32,U32,I64,U64,X32,X64,F,D}_{OP}_{MODE}, with T the type: int, unsigned int, long,
 * unsigned long, intN_t, uintN_t (also for X), float, double.
 *
 *   T read(ptr)                      the value
 *   void set(ptr, val)
 *   T swap(ptr, val)
 *   T cswap(ptr, oldval, newval)     newval where the value is oldval; floating point compares bits
 *   T fetchadd(ptr, val)             integers wrap around
 *   T mswap(ptr, mask, val)          the bits of val that mask has, the others stay. This and the following
 *   T fetchand, fetchor, fetchxor(ptr, val)          for integers only
 *   T fetchnot(ptr)
 *
 * All but set return the value before. Modes: relaxed; strict, ordered with all accesses around it; private,
 * where ptr is a plain address (void *) of an object here, shared or not, and the operation is relaxed.
 */
UPCRI_ATOMIC_INTEGER(bupc_atomicI, int, UPCRI_DO32)
UPCRI_ATOMIC_INTEGER(bupc_atomicUI, unsigned int, UPCRI_DO32)
UPCRI_ATOMIC_INTEGER(bupc_atomicL, long, UPCRI_DO64)
UPCRI_ATOMIC_INTEGER(bupc_atomicUL, unsigned long, UPCRI_DO64)
UPCRI_ATOMIC_INTEGER(bupc_atomicI32, int32_t, UPCRI_DO32)
UPCRI_ATOMIC_INTEGER(bupc_atomicU32, uint32_t, UPCRI_DO32)
UPCRI_ATOMIC_INTEGER(bupc_atomicX32, uint32_t, UPCRI_DO32)
UPCRI_ATOMIC_INTEGER(bupc_atomicI64, int64_t, UPCRI_DO64)
UPCRI_ATOMIC_INTEGER(bupc_atomicU64, uint64_t, UPCRI_DO64)
UPCRI_ATOMIC_INTEGER(bupc_atomicX64, uint64_t, UPCRI_DO64)
UPCRI_ATOMIC_MODES(bupc_atomicF, float, UPCRI_DO_F, upcri_float_to_word, upcri_word_to_float)
UPCRI_ATOMIC_MODES(bupc_atomicD, double, UPCRI_DO_D, upcri_double_to_word, upcri_word_to_double)

/* ---- Domains ---- */

/* Operations beside UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_MIN and UPC_MAX of upc_types.h. */
#ifndef UPC_GET
#define UPC_GET (1ULL << 9)
#define UPC_SET (1ULL << 10)
#define UPC_CSWAP (1ULL << 11)
#define UPC_SUB (1ULL << 12)
#define UPC_INC (1ULL << 13)
#define UPC_DEC (1ULL << 14)
#endif
/* Hints for a domain; without effect: one implementation is the fastest for all. */
#ifndef UPC_ATOMIC_HINT_DEFAULT
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2
#endif
#ifndef UPC_ATOMIC_PERFORMANCE_FAST
#define UPC_ATOMIC_PERFORMANCE_NOT_FAST 0
#define UPC_ATOMIC_PERFORMANCE_FAST 1
#endif
typedef int upc_atomichint_t;

/*
 * A domain: one type, and a set of operations on it (their bitwise or), for objects that are accessed through
 * this domain. Collective, the same arguments everywhere. Types: UPC_INT, UINT, LONG, ULONG, INT32, UINT32,
 * INT64, UINT64, FLOAT, DOUBLE with all operations but UPC_AND, OR, XOR on the last two; UPC_PTS with GET,
 * SET and CSWAP. Anything else is fatal. Freed collectively when no operation is pending; null is ignored.
 */
UPCRI_API upcr_pshared_ptr_t _upcr_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops,
                                                          upc_atomichint_t hints);
UPCRI_API void _upcr_all_atomicdomain_free(upcr_pshared_ptr_t domain);

/*
 * One operation of the domain's set on the object at target, of the domain's type.
 *
 *   fetch_ptr   receives the value before, of that type; null if it is not needed (not with UPC_GET)
 *   operand1    the value; for UPC_CSWAP the one expected (pointers: phases are ignored, floating point: bits
 *               are compared). Null for UPC_GET, INC, DEC
 *   operand2    for UPC_CSWAP the new value, else null
 *
 * Fatal: no domain, or one that was freed; an operation that is not in its set; a null pointer that is
 * needed; in debug also operands that must be null.
 */
UPCRI_API void _upcr_atomic_relaxed(upcr_pshared_ptr_t domain, void *fetch_ptr, upc_op_t op,
                                    upcr_shared_ptr_t target, const void *operand1, const void *operand2);
UPCRI_API void _upcr_atomic_strict(upcr_pshared_ptr_t domain, void *fetch_ptr, upc_op_t op,
                                   upcr_shared_ptr_t target, const void *operand1, const void *operand2);

/* UPC_ATOMIC_PERFORMANCE_FAST when the calling thread does these operations on the object at addr without
 * the help of another, else UPC_ATOMIC_PERFORMANCE_NOT_FAST; that also for types and operations of no domain.
 * */
UPCRI_API int _upcr_atomic_isfast(upc_type_t type, upc_op_t ops, upcr_shared_ptr_t addr);

#define upc_all_atomicdomain_alloc _upcr_all_atomicdomain_alloc
#define upc_all_atomicdomain_free _upcr_all_atomicdomain_free
#define upc_atomic_relaxed _upcr_atomic_relaxed
#define upc_atomic_strict _upcr_atomic_strict
#define upc_atomic_isfast _upcr_atomic_isfast

UPCRI_END_C

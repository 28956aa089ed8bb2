/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upc_atomic.h> of UPC 1.3 (7.6): atomic operations on shared objects, through domains. UPC source: a front
 * end reads it. Included by C it is upcr.h, which has the same names and documents them (upcr/atomic.h).
 */
#ifndef UPCRI_PREINCLUDE_UPC_ATOMIC_H
#define UPCRI_PREINCLUDE_UPC_ATOMIC_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stddef.h>
#include <upc_types.h>

#ifndef __UPC_ATOMIC__
#define __UPC_ATOMIC__ 1
#endif

/* Operations beside those of upc_types.h. */
#define UPC_GET (1ULL << 9)
#define UPC_SET (1ULL << 10)
#define UPC_CSWAP (1ULL << 11)
#define UPC_SUB (1ULL << 12)
#define UPC_INC (1ULL << 13)
#define UPC_DEC (1ULL << 14)

/* Hints for a domain. */
typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2

/* A type and a set of operations on it. Opaque, shared, used through pointers. Collective calls. */
struct bupc_atomicdomain_S;
typedef shared struct bupc_atomicdomain_S upc_atomicdomain_t;
extern upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t __type, upc_op_t __ops,
                                                      upc_atomichint_t __hints);
extern void upc_all_atomicdomain_free(upc_atomicdomain_t *__domain);

/* One operation on *target; the value before is stored in *fetch_ptr, which may be null except for UPC_GET.
 * */
extern void upc_atomic_relaxed(upc_atomicdomain_t *__domain, void *restrict __fetch_ptr, upc_op_t __op,
                               shared void *restrict __target, const void *restrict __operand1,
                               const void *restrict __operand2);
extern void upc_atomic_strict(upc_atomicdomain_t *__domain, void *restrict __fetch_ptr, upc_op_t __op,
                              shared void *restrict __target, const void *restrict __operand1,
                              const void *restrict __operand2);

/* Whether the calling thread does these operations on the object at addr without the help of another. */
#define UPC_ATOMIC_PERFORMANCE_NOT_FAST 0
#define UPC_ATOMIC_PERFORMANCE_FAST 1
extern int upc_atomic_isfast(upc_type_t __type, upc_op_t __ops, shared void *__addr);

#endif
#endif

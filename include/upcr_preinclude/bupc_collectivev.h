/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <bupc_collectivev.h>: collectives on values, macros that take a TYPE (Berkeley UPC, interface 1.2). UPC
 * source: a front end reads it; the macros expand to compound literals for upc2c and to C89 for others. Included by
 * C it is upcr.h, whose upcr/allv.h has the same macros.
 */
#ifndef UPCRI_PREINCLUDE_BUPC_COLLECTIVEV_H
#define UPCRI_PREINCLUDE_BUPC_COLLECTIVEV_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stddef.h>
#include <upc_collective_bits.h>

/*
 * Collective; a thread waits only for values that it needs (UPC_IN_MYSYNC | UPC_OUT_MYSYNC).
 *   root      the source or destination thread; equal on all
 *   array     private memory of THREADS elements of TYPE; only where it is used. The gathers return it
 *   tothread  the thread that receives val: a permutation of the threads
 *   op        UPC_ADD and so on, on arithmetic types; thread 0's value first
 * broadcast: root's val. scatter: root's array[MYTHREAD]. gather: array[i] is thread i's val, on root;
 * gather_all: everywhere. reduce: on root, elsewhere without meaning; reduce_all: everywhere; prefix_reduce:
 * of the threads up to this one.
 */
#include <bupc_collectivev_macros.h>

/* Functions of the runtime, which replace the value and return its address. */
extern void *upcri_allv_broadcast(void *__value, size_t __bytes, int __root);
extern void *upcri_allv_scatter(void *__value, size_t __bytes, int __root, const void *__array);
extern void *upcri_allv_gather(const void *__value, size_t __bytes, int __root, void *__array);
extern void *upcri_allv_gather_all(const void *__value, size_t __bytes, void *__array);
extern void *upcri_allv_permute(void *__value, size_t __bytes, int __tothread);
extern void *upcri_allv_reduce(void *__value, int __kind, int __root, upc_op_t __op);
extern void *upcri_allv_reduce_all(void *__value, int __kind, upc_op_t __op);
extern void *upcri_allv_prefix_reduce(void *__value, int __kind, upc_op_t __op);

#ifndef __UPC2C__

/*
 * Expressions of C89, without compound literals, which not every front end has. The value is stored in a buffer
 * of the runtime, in the argument of the call: with a comma before the call, gcc moves the stores of two calls in
 * one expression before both, but it evaluates the arguments of a call together. Calls may be nested; a result is
 * valid for 64 more calls.
 */
extern void *upcri_allv_value(size_t __bytes);
extern void *upcri_allv_taken(void);

#define UPCRI_ALLV_ROOM(TYPE) (upcri_allv_value(sizeof(TYPE)), upcri_allv_taken())
#define UPCRI_ALLV_STORED(TYPE, val) (*(TYPE *)upcri_allv_value(sizeof(TYPE)) = (val), upcri_allv_taken())
#define bupc_allv_broadcast(TYPE, val, root) \
    (*(TYPE *)upcri_allv_broadcast(UPCRI_ALLV_STORED(TYPE, val), sizeof(TYPE), root))
#define bupc_allv_scatter(TYPE, root, array) \
    (*(TYPE *)upcri_allv_scatter(UPCRI_ALLV_ROOM(TYPE), sizeof(TYPE), root, array))
#define bupc_allv_gather(TYPE, val, root, array) \
    ((TYPE *)upcri_allv_gather(UPCRI_ALLV_STORED(TYPE, val), sizeof(TYPE), root, array))
#define bupc_allv_gather_all(TYPE, val, array) \
    ((TYPE *)upcri_allv_gather_all(UPCRI_ALLV_STORED(TYPE, val), sizeof(TYPE), array))
#define bupc_allv_permute(TYPE, val, tothread) \
    (*(TYPE *)upcri_allv_permute(UPCRI_ALLV_STORED(TYPE, val), sizeof(TYPE), tothread))
#define bupc_allv_reduce(TYPE, val, root, op) \
    (*(TYPE *)upcri_allv_reduce(UPCRI_ALLV_STORED(TYPE, val), UPCRI_ALLV_KIND(TYPE), root, op))
#define bupc_allv_reduce_all(TYPE, val, op) \
    (*(TYPE *)upcri_allv_reduce_all(UPCRI_ALLV_STORED(TYPE, val), UPCRI_ALLV_KIND(TYPE), op))
#define bupc_allv_prefix_reduce(TYPE, val, op) \
    (*(TYPE *)upcri_allv_prefix_reduce(UPCRI_ALLV_STORED(TYPE, val), UPCRI_ALLV_KIND(TYPE), op))

#endif
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <bupc_collectivev.h>: collectives on values, macros that take a TYPE (Berkeley UPC, interface 1.2). UPC
 * source: a front end reads it; the macros expand to C that any translator accepts. Included by C it
 * is upcr.h, whose upcr/allv.h has the same macros.
 */
#ifndef UPCRI_PREINCLUDE_BUPC_COLLECTIVEV_H
#define UPCRI_PREINCLUDE_BUPC_COLLECTIVEV_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stddef.h>
#include <upc_collective_bits.h>

/*
 * Functions of the runtime: a buffer for the value of the calling thread's next call, and the calls, which
 * return the address of the result. They can be nested; a result is valid while the expression is evaluated.
 */
extern void *upcri_allv_value(size_t __bytes);
extern void *upcri_allv_broadcast_value(size_t __bytes, int __root);
extern void *upcri_allv_scatter_value(size_t __bytes, int __root, const void *__array);
extern void *upcri_allv_gather_value(size_t __bytes, int __root, void *__array);
extern void *upcri_allv_gather_all_value(size_t __bytes, void *__array);
extern void *upcri_allv_permute_value(size_t __bytes, int __tothread);
extern void *upcri_allv_reduce_value(int __kind, int __root, upc_op_t __op);
extern void *upcri_allv_reduce_all_value(int __kind, upc_op_t __op);
extern void *upcri_allv_prefix_reduce_value(int __kind, upc_op_t __op);

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

/*
 * Expressions of C89, without compound literals, which not every front end has. The value is stored in a
 * buffer of the runtime, which the next call uses.
 */
#define UPCRI_ALLV_STORE(TYPE, val) (*(TYPE *)upcri_allv_value(sizeof(TYPE)) = (val))
#define bupc_allv_broadcast(TYPE, val, root) \
    (UPCRI_ALLV_STORE(TYPE, val), *(TYPE *)upcri_allv_broadcast_value(sizeof(TYPE), root))
#define bupc_allv_scatter(TYPE, root, array) (*(TYPE *)upcri_allv_scatter_value(sizeof(TYPE), root, array))
#define bupc_allv_gather(TYPE, val, root, array) \
    (UPCRI_ALLV_STORE(TYPE, val), (TYPE *)upcri_allv_gather_value(sizeof(TYPE), root, array))
#define bupc_allv_gather_all(TYPE, val, array) \
    (UPCRI_ALLV_STORE(TYPE, val), (TYPE *)upcri_allv_gather_all_value(sizeof(TYPE), array))
#define bupc_allv_permute(TYPE, val, tothread) \
    (UPCRI_ALLV_STORE(TYPE, val), *(TYPE *)upcri_allv_permute_value(sizeof(TYPE), tothread))
#define bupc_allv_reduce(TYPE, val, root, op) \
    (UPCRI_ALLV_STORE(TYPE, val), *(TYPE *)upcri_allv_reduce_value(UPCRI_ALLV_KIND(TYPE), root, op))
#define bupc_allv_reduce_all(TYPE, val, op) \
    (UPCRI_ALLV_STORE(TYPE, val), *(TYPE *)upcri_allv_reduce_all_value(UPCRI_ALLV_KIND(TYPE), op))
#define bupc_allv_prefix_reduce(TYPE, val, op) \
    (UPCRI_ALLV_STORE(TYPE, val), *(TYPE *)upcri_allv_prefix_reduce_value(UPCRI_ALLV_KIND(TYPE), op))

#endif
#endif

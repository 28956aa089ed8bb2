/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <bupc_collectivev.h>: collectives on values, macros that take a TYPE (Berkeley UPC, interface 1.2). UPC
 * source: a front end reads it; what the macros expand to is C that any translator passes on. Included by C it
 * is upcr.h, whose upcr/allv.h has the same macros.
 */
#ifndef UPCRI_PREINCLUDE_BUPC_COLLECTIVEV_H
#define UPCRI_PREINCLUDE_BUPC_COLLECTIVEV_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stddef.h>
#include <upc_collective_bits.h>

/* The runtime's side of it. `value`: replaced by the result and returned. */
extern void *upcri_allv_broadcast(void *value, size_t bytes, int root);
extern void *upcri_allv_scatter(void *value, size_t bytes, int root, const void *array);
extern void *upcri_allv_gather(const void *value, size_t bytes, int root, void *array);
extern void *upcri_allv_gather_all(const void *value, size_t bytes, void *array);
extern void *upcri_allv_permute(void *value, size_t bytes, int tothread);
extern void *upcri_allv_reduce(void *value, int kind, int root, unsigned long long op);
extern void *upcri_allv_reduce_all(void *value, int kind, unsigned long long op);
extern void *upcri_allv_prefix_reduce(void *value, int kind, unsigned long long op);

/*
 * Collective, without waiting but for values that are needed (UPC_IN_MYSYNC | UPC_OUT_MYSYNC).
 *   root      the thread that gives or gets; equal on all
 *   array     private memory of THREADS elements of TYPE; only where it is used. The gathers return it
 *   tothread  who gets val: a permutation of the threads
 *   op        UPC_ADD and so on, on arithmetic types; thread 0's value first
 * broadcast: root's val. scatter: root's array[MYTHREAD]. gather: array[i] is thread i's val, on root;
 * gather_all: everywhere. reduce: on root, elsewhere without meaning; reduce_all: everywhere; prefix_reduce:
 * of the threads up to this one.
 */
#include <bupc_collectivev_macros.h>

#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The macros of <bupc_collectivev.h> in C99, and in UPC source for front ends that have compound literals. upcr/allv.h
 * has the functions that they call, and the macros' form in C++; <bupc_collectivev.h> has the form for other front ends
 * and describes each.
 */
#pragma once

/* The version of the interface. */
#define BUPC_COLLECTIVEV_VERSION_MAJOR 1
#define BUPC_COLLECTIVEV_VERSION_MINOR 2

/* An arithmetic type, as a number: its bytes, + 256 when it has fractions, + 512 when it has a sign, + 1024 for
 * _Bool. */
#define UPCRI_ALLV_KIND(TYPE)                                                       \
    ((int)sizeof(TYPE) + ((TYPE)1.5 > (TYPE)1) * 256 + ((TYPE)-1 < (TYPE)1) * 512 + \
     !((TYPE)2 > (TYPE)1) * 1024)

#if !defined(__cplusplus) && (!defined(__BERKELEY_UPC_FIRST_PREPROCESS__) || defined(__UPC2C__))

/* The value, as an array of one: its element is initialised by any expression of the type, also of a struct.
 * */
#define UPCRI_ALLV_VALUE(TYPE, val) ((TYPE[1]){val})
#define bupc_allv_broadcast(TYPE, val, root) \
    (*(TYPE *)upcri_allv_broadcast(UPCRI_ALLV_VALUE(TYPE, val), sizeof(TYPE), root))
#define bupc_allv_scatter(TYPE, root, array) \
    (*(TYPE *)upcri_allv_scatter(UPCRI_ALLV_VALUE(TYPE, 0), sizeof(TYPE), root, array))
#define bupc_allv_gather(TYPE, val, root, array) \
    ((TYPE *)upcri_allv_gather(UPCRI_ALLV_VALUE(TYPE, val), sizeof(TYPE), root, array))
#define bupc_allv_gather_all(TYPE, val, array) \
    ((TYPE *)upcri_allv_gather_all(UPCRI_ALLV_VALUE(TYPE, val), sizeof(TYPE), array))
#define bupc_allv_permute(TYPE, val, tothread) \
    (*(TYPE *)upcri_allv_permute(UPCRI_ALLV_VALUE(TYPE, val), sizeof(TYPE), tothread))
#define bupc_allv_reduce(TYPE, val, root, op) \
    (*(TYPE *)upcri_allv_reduce(UPCRI_ALLV_VALUE(TYPE, val), UPCRI_ALLV_KIND(TYPE), root, op))
#define bupc_allv_reduce_all(TYPE, val, op) \
    (*(TYPE *)upcri_allv_reduce_all(UPCRI_ALLV_VALUE(TYPE, val), UPCRI_ALLV_KIND(TYPE), op))
#define bupc_allv_prefix_reduce(TYPE, val, op) \
    (*(TYPE *)upcri_allv_prefix_reduce(UPCRI_ALLV_VALUE(TYPE, val), UPCRI_ALLV_KIND(TYPE), op))

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The declarations of <upc_castable.h> of UPC 1.3 that are plain C: the memory of a thread that can be cast
 * to plain pointers. The front end reads it as UPC; translated code includes it in every file, with the same
 * names as in the runtime.
 */
#ifndef UPCRI_PREINCLUDE_UPC_CASTABLE_BITS_H
#define UPCRI_PREINCLUDE_UPC_CASTABLE_BITS_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

/* Bits: the allocation functions. */
#define UPC_CASTABLE_ALL_ALLOC 1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC 4
#define UPC_CASTABLE_STATIC 8
#define UPC_CASTABLE_ALL 15

/* Those bits: memory that can certainly be cast, and memory that can possibly be cast (a superset). */
typedef struct upc_thread_info_S {
    int guaranteedCastable;
    int probablyCastable;
} upc_thread_info_t;

#endif
#endif

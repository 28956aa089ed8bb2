/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What <upc_castable.h> of UPC 1.3 declares that is plain C: which memory of a thread can be cast to plain
 * pointers. The front end reads it as UPC; translated code includes it in every file and then finds the same
 * names as the runtime has them.
 */
#ifndef UPCRI_PREINCLUDE_UPC_CASTABLE_BITS_H
#define UPCRI_PREINCLUDE_UPC_CASTABLE_BITS_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

/* Bits: memory of which allocation. */
#define UPC_CASTABLE_ALL_ALLOC 1
#define UPC_CASTABLE_GLOBAL_ALLOC 2
#define UPC_CASTABLE_ALLOC 4
#define UPC_CASTABLE_STATIC 8
#define UPC_CASTABLE_ALL 15

/* Those bits: memory that can surely be cast, and memory that can perhaps be (a superset). */
typedef struct upc_thread_info_S {
    int guaranteedCastable;
    int probablyCastable;
} upc_thread_info_t;

#endif
#endif

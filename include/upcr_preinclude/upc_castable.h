/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upc_castable.h> of UPC 1.3 (7.8): plain pointers to shared memory, also of other threads. UPC source: a
 * front end reads it. Included by C it is upcr.h, which has the same names.
 */
#ifndef UPCRI_PREINCLUDE_UPC_CASTABLE_H
#define UPCRI_PREINCLUDE_UPC_CASTABLE_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stddef.h>
#include <upc_types.h>
#include <upc_castable_bits.h>

#ifndef __UPC_CASTABLE__
#define __UPC_CASTABLE__ 1
#endif

/* A plain pointer for the calling thread, or null when there is none. */
extern void *upc_cast(const shared void *__ptr);
/* The memory of thread `thread` that the calling thread can cast. */
extern upc_thread_info_t upc_thread_info(size_t __threadid);

#endif
#endif

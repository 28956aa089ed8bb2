/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops of updates, `t[f(i)] += value;`, that upc2c transforms so that elements out of the caches come while others
 * are updated. Included by upc2c_loops.h. UPC threads.
 *
 * An iteration prefetches its element, does the update of the iteration UPC2C_LATER before, and leaves its own in a
 * queue; the last ones are done behind the loop. Updates of one element stay in their order. Elements in the
 * caches of one processor would gain nothing: after UPC2C_LATER_TRIED iterations the loop goes on so only if the elements
 * in the queue are far from each other, else in the usual way.
 */
#pragma once
#include "upcr/access_rep.h"

UPCRI_BEGIN_C

#define UPC2C_LATER 32 /* a power of two */
#define UPC2C_LATER_TRIED 64
/* A loop of fewer iterations is not worth it. */
#define UPC2C_LATER_TRIPS 4096

typedef struct upc2c_places {
    uintptr_t at[UPC2C_LATER]; /* of the elements in the queue */
} upc2c_places_t;

/* Whether an object that a pointer leads to is in no thread's shared memory, as far as that is mapped. */
UPCRI_API int upcri_is_private(const volatile void *pointer);
/* Before which iteration this must be asked again: UINT64_MAX for elements far from each other, else 0. Of those in
 * other processes the pages are mapped here, if the remaining iterations are many for them. */
UPCRI_API uint64_t upcri_later_until(upc2c_places_t places, uint64_t remaining);

UPCRI_END_C

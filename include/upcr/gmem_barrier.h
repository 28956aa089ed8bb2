/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The position of the calling UPC thread between notify and wait (upcr/barrier.h, and __upc_notify and
 * __upc_wait of compiled code): the variables of "UPC Runtime Design Utilizing Portals-4", chapter 12, "UPC
 * Runtime Global Variables", and a constant of chapter 10. One of each for every UPC thread, to be read only.
 */
#pragma once
#include <limits.h>

#include "upcr/types.h"
#ifndef __cplusplus
#include <stdbool.h>
#endif

/* Greater than every name of a barrier. The design computes the least name of all; barriers here compare
 * them (conduits/core/barrier/summary.hpp), so the library does not use it. */
#define UPCR_BARRIER_ID_MAX LONG_MAX

UPCRI_BEGIN_C

/* Between a notify and the end of its wait. */
extern UPCRI_API UPCRI_THREAD_LOCAL bool upcr_barrier_active __attribute__((tls_model("initial-exec")));
/* The value of the last notify; INT_MIN, as compilers pass it, for an anonymous one. */
extern UPCRI_API UPCRI_THREAD_LOCAL long int upcr_barrier_id __attribute__((tls_model("initial-exec")));

UPCRI_END_C

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the calling UPC thread is in the alternation of notify and wait (upcr/barrier.h, and __upc_notify and
 * __upc_wait of compiled code): the variables of "UPC Runtime Design Utilizing Portals-4", chapter 12, "UPC
 * Runtime Global Variables", and a constant of chapter 10. One of each for every UPC thread, to be read only.
 */
#pragma once
#include <limits.h>

#include "upcr/types.h"
#ifndef __cplusplus
#include <stdbool.h>
#endif

/* Greater than every name of a barrier. Where the design takes the least name of all, barriers here compare
 * them (conduits/core/barrier/summary.hpp), so this is used by nobody inside. */
#define UPCR_BARRIER_ID_MAX LONG_MAX

UPCRI_BEGIN_C

/* Between a notify and the end of its wait. */
extern UPCRI_API UPCRI_THREAD_LOCAL bool upcr_barrier_active __attribute__((tls_model("initial-exec")));
/* What the last notify said; INT_MIN, what compilers pass, where it named nothing. */
extern UPCRI_API UPCRI_THREAD_LOCAL long int upcr_barrier_id __attribute__((tls_model("initial-exec")));

UPCRI_END_C

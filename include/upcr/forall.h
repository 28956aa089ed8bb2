/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of translated upc_forall loops, and of automatic non-blocking puts. Any thread unless stated. */
#pragma once
#include "upcr/tld.h"
#include "upcr/types.h"

UPCRI_BEGIN_C

/* One for each UPC thread: non-zero inside a upc_forall with affinity; loops nested in it run in full.
 * Translated files define it too, all as one. Reached through UPCR_TLD_ADDR(upcr_forall_control). */
extern UPCRI_API int32_t upcrt_forall_control UPCRI_TLD_WEAK;
#define upcr_forall_control upcrt_forall_control

/* Greatest common divisor, not negative; 0 for two zeros. */
UPCRI_API int upcrt_gcd(int a, int b);

/*
 * The first value of a loop variable that runs through lo, lo + step, lo + 2 * step ... for which the calling
 * thread runs the loop body. Value number k is run by thread (start_thread + k * step * scale) modulo THREADS,
 * in [0, THREADS) whatever the signs. None, or none that an int holds: INT_MAX for a positive step, INT_MIN
 * for a negative one. step 0: lo or INT_MAX. UPC threads.
 *
 * The older form has no scale (1). Files declare the one that they use, so both are spelled
 * _upcrt_forall_start, and distinguished by the number of arguments.
 */
UPCRI_API int upcri_forall_start3(int start_thread, int step, int lo);
#define _upcrt_forall_start(...) \
    UPCRI_FIFTH(__VA_ARGS__, _upcrt_forall_start, upcri_forall_start3, upcri_forall_start3)(__VA_ARGS__)
#define UPCRI_FIFTH(a, b, c, d, e, ...) e

/* Stores n bytes; complete on return. src may be reused. UPC threads. */
UPCRI_API void _upcrt_memput_nb(upcr_shared_ptr_t dst, const void *src, size_t n);

UPCRI_END_C

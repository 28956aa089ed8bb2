/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers (UPC Runtime specification, "Barriers"; upc_notify, upc_wait, upc_barrier).
 *
 * Each UPC thread alternates: notify, anything that is not collective, wait. The phase ends when every
 * thread has notified. After notify the others do not depend on this thread: they complete their wait
 * while it computes. notify and wait each order all accesses of the thread before and after them.
 *
 *   barrierval  the barrier's name
 *   flags       0                           named: equal to the names of all other threads
 *               UPCR_BARRIERFLAG_ANONYMOUS  barrierval is ignored; matches any name
 *               UPCR_BARRIERFLAG_UNNAMED    as anonymous, but all threads or none must pass it
 *
 * Errors, fatal: notify after notify, wait without notify ("misordered call to ..."); names that differ,
 * between threads or between a thread's own notify and wait ("barrier mismatch detected by thread N: ...";
 * a warning with UPC_BARRIER_MISMATCH_WARNS=yes); a thread that ends its program while others are in a
 * barrier. UPC threads only, not from an AM handler.
 */
#pragma once
#include "upcr/types.h"

UPCRI_BEGIN_C

/* Announces that this thread has arrived. Never waits. */
UPCRI_API void upcr_notify(int barrierval, int flags);
/* Waits until all threads have arrived. Serves other threads meanwhile. */
UPCRI_API void upcr_wait(int barrierval, int flags);
/* 1: all threads have arrived, as after upcr_wait(). 0: not yet; call again. Never waits. */
UPCRI_API int upcr_try_wait(int barrierval, int flags);
/* upcr_notify() and upcr_wait(). */
UPCRI_API void upcr_barrier(int barrierval, int flags);

UPCRI_END_C

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upc_tick.h> of UPC 1.3 (7.5): a clock. UPC source: a front end reads it. Included by C it is upcr.h, which
 * has the same names.
 */
#ifndef UPCRI_PREINCLUDE_UPC_TICK_H
#define UPCRI_PREINCLUDE_UPC_TICK_H

#ifndef __BERKELEY_UPC_FIRST_PREPROCESS__
#include "upcr.h"
#else

#include <stdint.h>
#include <upc_types.h>

#ifndef __UPC_TICK__
#define __UPC_TICK__ 1
#endif

/* A time. Monotonic on a thread; times of different threads cannot be compared. */
typedef uint64_t upc_tick_t;
#define UPC_TICK_MIN ((upc_tick_t)0)
#define UPC_TICK_MAX (~(upc_tick_t)0)

extern upc_tick_t upc_ticks_now(void);
/* A difference of times, in nanoseconds. */
extern uint64_t upc_ticks_to_ns(upc_tick_t __ticks);

#endif
#endif

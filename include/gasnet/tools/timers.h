/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gasnet_tools: time. A tick is a nanosecond of the host's monotonic clock. Any thread, any time; readings
 * of different hosts cannot be compared.
 */
#pragma once
#include "gasnet/tools/attributes.h"

GASNETT_BEGIN_EXTERNC

typedef uint64_t gasnett_tick_t;

/* MIN < every reading < MAX. */
#define GASNETT_TICK_MIN ((gasnett_tick_t)0)
#define GASNETT_TICK_MAX ((gasnett_tick_t)-1)

/* Now: never less than what the same thread read before. */
GASNETI_API gasnett_tick_t gasnett_ticks_now(void);

/* A reading or a difference of two, in micro- and nanoseconds (rounded down). */
GASNETT_PLEASE_INLINE(gasnett_ticks_to_us) uint64_t gasnett_ticks_to_us(gasnett_tick_t ticks) {
    return ticks / 1000;
}
GASNETT_PLEASE_INLINE(gasnett_ticks_to_ns) uint64_t gasnett_ticks_to_ns(gasnett_tick_t ticks) {
    return ticks;
}

/* The smallest difference that can be seen, and what one reading costs: microseconds, more than 0. Measured
 * at the first call (some microseconds). */
GASNETI_API double gasnett_tick_granularityus(void);
GASNETI_API double gasnett_tick_overheadus(void);

/* The time of day: microseconds since 1970. It may be set, and run backwards. */
GASNETI_API uint64_t gasnett_gettimeofday_us(void);

GASNETT_END_EXTERNC

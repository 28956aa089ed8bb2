/* SPDX-License-Identifier: BSD-3-Clause */
/* Timers against the time of day, and the queries about the machine. GASNETT_LITE_MODE: the timers alone. */
#include <gasnet_tools.h>

#include "check.h"

static gasnett_tick_t least = GASNETT_TICK_MAX, most = GASNETT_TICK_MIN;

static uint64_t distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

int main(void) {
    const uint64_t day_before = gasnett_gettimeofday_us();
    const gasnett_tick_t start = gasnett_ticks_now();
    gasnett_tick_t last = start, now = start;
    long i;
    uint64_t day, us;
    for (i = 0; i < 200000; i++) {
        now = gasnett_ticks_now();
        CHECK(now >= last && now > GASNETT_TICK_MIN && now < GASNETT_TICK_MAX);
        if (now < least) least = now;
        if (now > most) most = now;
        last = now;
    }
    CHECK(least >= start && most == now);
    while (gasnett_ticks_to_us(gasnett_ticks_now() - start) < 50000) gasnett_spinloop_hint();
    now = gasnett_ticks_now();
    day = gasnett_gettimeofday_us() - day_before;
    us = gasnett_ticks_to_us(now - start);
    CHECK(us >= 50000 && distance(us, day) < 1000000); /* a loaded machine may stop us between the two */
    CHECK(distance(gasnett_ticks_to_us(now) - gasnett_ticks_to_us(start), us) <= 1);
    CHECK(distance(gasnett_ticks_to_ns(now - start) / 1000, us) <= 1);
    CHECK(gasnett_tick_granularityus() > 0 && gasnett_tick_overheadus() > 0);
    CHECK(gasnett_tick_granularityus() >= 0.4 * gasnett_tick_overheadus());
    CHECK(gasnett_tick_granularityus() < 1000 && gasnett_tick_overheadus() < 1000);
    gasnett_local_mb();
    return 0;
}

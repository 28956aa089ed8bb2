// SPDX-License-Identifier: BSD-3-Clause
// gasnett_tick_*: time. Any thread, any time.
#include <sys/time.h>

#include "conduits/core/base/system/ticks.hpp"
#include "include/gasnet/tools/timers.h"

extern "C" {

gasnett_tick_t gasnett_ticks_now(void) { return upcr::ticks_now(); }
double gasnett_tick_granularityus(void) { return upcr::tick_granularity_us(); }
double gasnett_tick_overheadus(void) { return upcr::tick_overhead_us(); }

uint64_t gasnett_gettimeofday_us(void) {
  timeval now;
  gettimeofday(&now, nullptr);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000 + static_cast<uint64_t>(now.tv_usec);
}

}  // extern "C"

// SPDX-License-Identifier: BSD-3-Clause
// Time, as UPC programs see it: ticks of base's clock. Any thread, any time, also before start-up.
#include "conduits/core/base/system/ticks.hpp"

#include "include/upcr/misc.h"

extern "C" {

bupc_tick_t bupc_ticks_now(void) { return upcr::ticks_now(); }
uint64_t bupc_ticks_to_ns(bupc_tick_t ticks) { return ticks; }
uint64_t bupc_ticks_to_us(bupc_tick_t ticks) { return ticks / 1000; }
double bupc_tick_granularityus(void) { return upcr::tick_granularity_us(); }
double bupc_tick_overheadus(void) { return upcr::tick_overhead_us(); }

}  // extern "C"

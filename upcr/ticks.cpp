// SPDX-License-Identifier: BSD-3-Clause
// Time: a tick is a nanosecond of the host's monotonic clock, which the kernel keeps from running backwards
// on any CPU and serves without a system call. Any thread, any time, also before start-up.
#include <ctime>

#include "include/upcr/misc.h"

namespace {

// The best of several tries of `measure`, which an interrupted one does not spoil. Nanoseconds.
template <typename Measure>
double least_of(int tries, Measure measure) {
  double best = measure();
  for (int i = 1; i < tries; ++i) {
    const double now = measure();
    if (now < best) best = now;
  }
  return best;
}

// From one value of the clock to the next that differs.
double step_ns() {
  const bupc_tick_t start = bupc_ticks_now();
  bupc_tick_t now = start;
  while (now == start) now = bupc_ticks_now();
  return static_cast<double>(now - start);
}

double cost_ns() {
  constexpr int kCalls = 200;
  const bupc_tick_t start = bupc_ticks_now();
  for (int i = 1; i < kCalls; ++i) (void)bupc_ticks_now();
  return static_cast<double>(bupc_ticks_now() - start) / kCalls;
}

}  // namespace

extern "C" {

bupc_tick_t bupc_ticks_now(void) {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<bupc_tick_t>(t.tv_sec) * 1'000'000'000u + static_cast<bupc_tick_t>(t.tv_nsec);
}

uint64_t bupc_ticks_to_ns(bupc_tick_t ticks) { return ticks; }
uint64_t bupc_ticks_to_us(bupc_tick_t ticks) { return ticks / 1000; }

double bupc_tick_granularityus(void) {
  static const double value = least_of(20, step_ns) / 1000;
  return value;
}

double bupc_tick_overheadus(void) {
  static const double value = least_of(20, cost_ns) / 1000;
  return value;
}

}  // extern "C"

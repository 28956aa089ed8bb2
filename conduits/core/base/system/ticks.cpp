// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/base/system/ticks.hpp"

namespace upcr {
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
  const std::uint64_t start = ticks_now();
  std::uint64_t now = start;
  while (now == start) now = ticks_now();
  return static_cast<double>(now - start);
}

double cost_ns() {
  constexpr int kCalls = 200;
  const std::uint64_t start = ticks_now();
  for (int i = 1; i < kCalls; ++i) (void)ticks_now();
  return static_cast<double>(ticks_now() - start) / kCalls;
}

}  // namespace

double tick_granularity_us() {
  static const double value = least_of(20, step_ns) / 1000;
  return value;
}

double tick_overhead_us() {
  static const double value = least_of(20, cost_ns) / 1000;
  return value;
}

}  // namespace upcr

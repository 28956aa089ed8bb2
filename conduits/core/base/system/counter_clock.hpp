// SPDX-License-Identifier: BSD-3-Clause
// The clock of statistics and traces: the processor's counter, whose reading costs a fifth of the system's
// clock. Both are read at two moments of the program, which gives the length of a tick; the counters of the
// supported processors run at a constant rate, the same on all CPUs of a host.
#pragma once
#include <cstdint>

#include "conduits/core/base/system/ticks.hpp"

namespace upcr {

inline std::uint64_t counter_now() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t value;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  return ticks_now();
#endif
}

// Both clocks at one moment.
struct Moment {
  std::uint64_t ticks = 0, ns = 0;
  static Moment now() noexcept { return {counter_now(), ticks_now()}; }
};

// Converts durations by two moments.
class TickLength {
 public:
  TickLength(const Moment& from, const Moment& to) noexcept
      : ns_(to.ticks > from.ticks
                ? static_cast<double>(to.ns - from.ns) / static_cast<double>(to.ticks - from.ticks)
                : 1.0) {}
  std::uint64_t ns(std::uint64_t ticks) const noexcept {
    return static_cast<std::uint64_t>(static_cast<double>(ticks) * ns_);
  }

 private:
  double ns_;
};

}  // namespace upcr

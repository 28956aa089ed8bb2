// SPDX-License-Identifier: BSD-3-Clause
// The clock of both APIs' timers: nanoseconds of the host's monotonic clock, which the kernel keeps from
// running backwards on any CPU and serves without a system call. Any thread, any time, also before start-up.
#pragma once
#include <cstdint>
#include <ctime>

namespace upcr {

inline std::uint64_t ticks_now() noexcept {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

// The smallest difference of two readings, and the time of one; measured at the first call, more than 0.
double tick_granularity_us();
double tick_overhead_us();

}  // namespace upcr

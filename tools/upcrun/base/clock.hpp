// SPDX-License-Identifier: BSD-3-Clause
// Time for deadlines: milliseconds of the monotonic clock.
#pragma once
#include <cstdint>
#include <ctime>

namespace upcrun {

using Milliseconds = std::int64_t;

inline Milliseconds now_ms() noexcept {
  timespec now{};
  (void)::clock_gettime(CLOCK_MONOTONIC, &now);
  return Milliseconds{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace upcrun

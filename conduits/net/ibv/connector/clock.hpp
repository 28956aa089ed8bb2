// SPDX-License-Identifier: BSD-3-Clause
// The clock of the service thread: milliseconds of the monotonic clock. Any thread.
#pragma once
#include <cstdint>
#include <ctime>

namespace upcr::ibv {

using Millis = std::uint64_t;
inline constexpr Millis kNever = ~Millis{0};

inline Millis now_ms() noexcept {
  timespec t;
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<Millis>(t.tv_sec) * 1000 + static_cast<Millis>(t.tv_nsec) / 1'000'000;
}

}  // namespace upcr::ibv

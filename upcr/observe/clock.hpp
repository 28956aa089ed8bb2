// SPDX-License-Identifier: BSD-3-Clause
// The clock of statistics and traces.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "conduits/core/am/handler_observer.hpp"
#include "conduits/core/base/system/counter_clock.hpp"

namespace upcr::observe {

inline std::uint64_t ticks() noexcept { return counter_now(); }

// How long one takes, at least: less than what lies between two of them in a thread that works.
inline std::uint64_t least_reading() noexcept {
  std::uint64_t least = ~std::uint64_t{0}, before = ticks();
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t now = ticks();
    least = std::min(least, now - before);
    before = now;
  }
  return std::max<std::uint64_t>(least, 1);
}

// What the runtime does with so few bytes, where nobody else is waited for, takes less than a reading.
inline constexpr std::size_t kInstantBytes = kInstantHandlerBytes;

}  // namespace upcr::observe

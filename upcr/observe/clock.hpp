// SPDX-License-Identifier: BSD-3-Clause
// The clock of statistics and traces.
#pragma once
#include <cstddef>

#include "conduits/core/base/system/counter_clock.hpp"

namespace upcr::observe {

inline std::uint64_t ticks() noexcept { return counter_now(); }

// What the runtime does with so few bytes, where nobody else is waited for, takes less than a reading.
inline constexpr std::size_t kInstantBytes = 64;

}  // namespace upcr::observe

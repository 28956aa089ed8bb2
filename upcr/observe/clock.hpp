// SPDX-License-Identifier: BSD-3-Clause
// The clock of statistics and traces.
#pragma once
#include "conduits/core/base/system/counter_clock.hpp"

namespace upcr::observe {

inline std::uint64_t ticks() noexcept { return counter_now(); }

}  // namespace upcr::observe

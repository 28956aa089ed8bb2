// SPDX-License-Identifier: BSD-3-Clause
// Places of a list as steps of 16 bits from the first one (wire.hpp): one pass finds out how far they reach
// and writes them. Any thread. Private to core/vis.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/vis/shape.hpp"

namespace upcr {

// Writes the first `most` entries (not 0) of the list, each as a number of 16 bits, in steps of 2^step bytes
// (step at most 16) from the first one, until an entry is too far away or between two steps. Returns how
// many were written; behind them `to`, which has room for `most`, may have been written too.
std::size_t vis_write_steps(const std::uint64_t* addresses, std::size_t most, unsigned step,
                            char* to) noexcept;
// The same for regions, until one has not the length of the first one.
std::size_t vis_write_steps(const VisRegion* regions, std::size_t most, unsigned step, char* to) noexcept;

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
// How often, with how many bytes and for how long the threads of this node have done what: the statistics. In
// memory that outlives the node.
#pragma once
#include <cstdint>

#include "conduits/api/gasnet/trace/events.hpp"

namespace upcr::gasnet {

// In gasnet_init(), before the others. False: there is no memory.
bool make_counters() noexcept;
// Of the calling thread.
void count(Event event, std::uint64_t bytes, std::uint64_t time) noexcept;

// The sum of all threads.
struct Sum {
  std::uint64_t count = 0, bytes = 0, min = ~std::uint64_t{0}, max = 0, time = 0;
  explicit Sum(Event event) noexcept;
};

}  // namespace upcr::gasnet

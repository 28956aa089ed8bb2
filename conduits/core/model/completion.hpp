// SPDX-License-Identifier: BSD-3-Clause
// Pending: the completion mechanism of all operations. A blocking call has one on its stack, an explicit
// handle is one from a pool, implicit operations share one per thread and direction, an access region
// exchanges that.
#pragma once
#include <atomic>
#include <cstdint>

namespace upcr {

struct Pending {
  std::atomic<std::uint32_t> n{0};  // operations in flight

  bool done() const noexcept { return n.load(std::memory_order_acquire) == 0; }
  void add(std::uint32_t k = 1) noexcept { n.fetch_add(k, std::memory_order_relaxed); }
  void complete() noexcept { n.fetch_sub(1, std::memory_order_release); }
};
static_assert(sizeof(Pending) == 4);

}  // namespace upcr

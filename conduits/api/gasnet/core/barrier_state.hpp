// SPDX-License-Identifier: BSD-3-Clause
// Where this node is in its barriers, for reports of waits. Any thread; what it reads may have just changed.
#pragma once
#include <cstdint>

namespace upcr::gasnet {

struct BarrierState {
  std::uint64_t completed = 0;
  bool notified = false;  // and not waited for yet
  bool named = false;
  int id = 0;  // of the one that is notified
};
BarrierState barrier_state() noexcept;

}  // namespace upcr::gasnet

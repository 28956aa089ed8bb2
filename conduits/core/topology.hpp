// SPDX-License-Identifier: BSD-3-Clause
// Which process and which UPC thread lives where. Filled in once at start-up, read-only afterwards.
//
//   host    processes that can share memory (one memfd)              host_first .. host_first + host_size
//   window  processes whose segments are mapped here; the host's, or this process alone when the
//           shared-memory bypass is off (UPCR_PSHM=no)                 window_first .. + window_size
//   slot    one segment: a UPC thread (K per process), or a GASNet node (1 per process)
//
// Ranks are dealt host by host, so both groups are consecutive, and so are the slots of a process.
#pragma once
#include <cstdint>
#include <vector>

#include "conduits/base/status.hpp"

namespace upcr {

using Slot = std::uint32_t;

struct Topology {
  Rank rank = 0, size = 1;
  Rank host_first = 0, host_size = 1;
  Rank window_first = 0, window_size = 1;
  std::vector<Slot> first_slot;  // of each rank; first_slot[size] is the number of slots
  std::vector<Rank> rank_of;     // of each slot

  Slot slots() const noexcept { return first_slot[size]; }
  Slot my_first_slot() const noexcept { return first_slot[rank]; }
  Slot my_slots() const noexcept { return first_slot[rank + 1] - first_slot[rank]; }
  Slot window_first_slot() const noexcept { return first_slot[window_first]; }
  Slot window_slots() const noexcept { return first_slot[window_first + window_size] - window_first_slot(); }
  bool on_my_host(Rank r) const noexcept { return r - host_first < host_size; }
  bool in_window(Rank r) const noexcept { return r - window_first < window_size; }
};

}  // namespace upcr

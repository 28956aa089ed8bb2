// SPDX-License-Identifier: BSD-3-Clause
// The place of each process and UPC thread in the job. Filled in once at start-up, read-only afterwards.
//
//   machine       processes of one operating system: machine_first .. + machine_size
//   host          processes that the job treats as one machine: all of the machine's, or k of them each
//                 (UPCR_NODE_SIZE=k): host_first .. + host_size
//   window group  processes that share memory (one memfd: segments and control areas): the host's, or this
//                 process alone when the shared-memory bypass is off (UPCR_PSHM=no):
//                 window_group_first .. + window_group_size
//   slot          one segment: a UPC thread (K per process), or a GASNet node (1 per process)
//
// Only conduits and doorbells may use the memory of the machine beyond the window group, so two simulated
// hosts are separated like two real ones. All three groups are runs of consecutive ranks, so the slots of
// each are consecutive too. Where a launcher distributes ranks to hosts in another way, several runs are on
// one machine: they are groups of their own and reach each other by the network.
#pragma once
#include <cstdint>
#include <vector>

#include "conduits/core/base/system/status.hpp"

namespace upcr {

using Slot = std::uint32_t;

struct Topology {
  Rank rank = 0, size = 1;
  Rank machine_first = 0, machine_size = 1;
  Rank host_first = 0, host_size = 1;
  Rank window_group_first = 0, window_group_size = 1;
  Rank host_name = 0;      // the lowest rank of this host, in any run of ranks: equal means the same host
  Rank machine_ranks = 1;  // all processes of this machine, other runs of ranks included
  std::vector<Slot> first_slot;  // of each rank; first_slot[size] is the number of slots
  std::vector<Rank> rank_of;     // of each slot

  Slot slots() const noexcept { return first_slot[size]; }
  Slot my_first_slot() const noexcept { return first_slot[rank]; }
  Slot my_slots() const noexcept { return first_slot[rank + 1] - first_slot[rank]; }
  Slot window_group_first_slot() const noexcept { return first_slot[window_group_first]; }
  Slot window_group_slots() const noexcept {
    return first_slot[window_group_first + window_group_size] - window_group_first_slot();
  }
  Slot machine_first_slot() const noexcept { return first_slot[machine_first]; }
  Slot machine_slots() const noexcept {
    return first_slot[machine_first + machine_size] - machine_first_slot();
  }
  bool on_my_machine(Rank r) const noexcept { return r - machine_first < machine_size; }
  bool on_my_host(Rank r) const noexcept { return r - host_first < host_size; }
  bool in_window_group(Rank r) const noexcept { return r - window_group_first < window_group_size; }
};

}  // namespace upcr

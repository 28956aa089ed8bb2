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
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "conduits/core/base/system/status.hpp"

namespace upcr {

using Slot = std::uint32_t;

// The first slot of each rank, and behind the last rank the number of slots. As a rule every rank has the
// same number of slots, the last ones perhaps fewer: then this is computed, and a job of any size has no
// table.
class FirstSlots {
 public:
  FirstSlots() = default;
  FirstSlots(std::initializer_list<Slot> first_slots) : table_(first_slots) {}
  explicit FirstSlots(std::vector<Slot> first_slots) : table_(std::move(first_slots)) {}
  static FirstSlots regular(Slot each, Slot total) noexcept {
    FirstSlots slots;
    slots.each_ = each;
    slots.total_ = total;
    return slots;
  }

  Slot operator[](Rank rank) const noexcept {
    if (each_ == 0) return table_[rank];
    return static_cast<Slot>(std::min<std::uint64_t>(std::uint64_t{rank} * each_, total_));
  }
  void push_back(Slot slot) { table_.push_back(slot); }
  Slot back() const noexcept { return table_.back(); }
  // Whether rank r's slots begin with r x `each`.
  bool is_regular(Slot each) const noexcept { return each_ == each; }
  std::size_t table_bytes() const noexcept { return table_.capacity() * sizeof(Slot); }

 private:
  Slot each_ = 0, total_ = 0;  // each_ 0: the table counts
  std::vector<Slot> table_;
};

// The rank of each slot; likewise.
class RankOfSlot {
 public:
  RankOfSlot() = default;
  RankOfSlot(std::initializer_list<Rank> ranks) : table_(ranks) {}
  explicit RankOfSlot(std::vector<Rank> ranks) : table_(std::move(ranks)) {}
  static RankOfSlot regular(Slot each) noexcept {
    RankOfSlot ranks;
    ranks.each_ = each;
    return ranks;
  }

  Rank operator[](Slot slot) const noexcept {
    if (each_ == 1) return slot;
    return each_ == 0 ? table_[slot] : slot / each_;
  }
  void push_back(Rank rank) { table_.push_back(rank); }
  std::size_t table_bytes() const noexcept { return table_.capacity() * sizeof(Rank); }

 private:
  Slot each_ = 0;
  std::vector<Rank> table_;
};

struct Topology {
  Rank rank = 0, size = 1;
  Rank machine_first = 0, machine_size = 1;
  Rank host_first = 0, host_size = 1;
  Rank window_group_first = 0, window_group_size = 1;
  Rank host_name = 0;      // the lowest rank of this host, in any run of ranks: equal means the same host
  Rank machine_ranks = 1;  // all processes of this machine, other runs of ranks included
  FirstSlots first_slot;   // of each rank; first_slot[size] is the number of slots
  RankOfSlot rank_of;      // of each slot

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

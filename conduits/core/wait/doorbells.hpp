// SPDX-License-Identifier: BSD-3-Clause
// One doorbell for each slot of the machine, in the machine's shared memory. A thread that waits sleeps on
// its own doorbell. The thread that stores the awaited event (a message in a ring of the process, the release
// of a barrier, the grant of a lock) rings it. See base/system/futex.hpp for the protocol.
//
// has() and of() are for threads of the window group, which share memory; conduits ring processes, which is
// the only way to reach threads beyond the window group.
#pragma once
#include "conduits/core/base/system/futex.hpp"
#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr {

// Is a fence at each ring cheaper than a membarrier at each sleep? Measured: docs/performance.md, "Waiting".
constexpr bool symmetric_bells_pay(std::uint32_t threads_per_cpu) noexcept {
  constexpr std::uint32_t kCrowd = 16;
  return threads_per_cpu >= kCrowd;
}

class Doorbells {
 public:
  void plan(MemoryFile& memory, const Topology& t) {
    first_slot_ = t.machine_first_slot();
    window_group_first_slot_ = t.window_group_first_slot();
    window_group_slots_ = t.window_group_slots();
    area_ = memory.reserve(t.machine_slots() * sizeof(Doorbell));
  }
  void attach(const MemoryFile& memory) { bells_ = memory.at<Doorbell>(area_); }
  // For this process's threads (Doorbell::make_symmetric). Between attach() and a collective of the
  // bootstrap, before which no process rings.
  void make_symmetric(const Topology& t) const noexcept {
    for (Slot s = t.my_first_slot(); s < t.my_first_slot() + t.my_slots(); ++s) of(s).make_symmetric();
  }

  // Does the slot belong to a thread of the window group?
  bool has(Slot slot) const noexcept {
    return slot - window_group_first_slot_ < window_group_slots_ && bells_ != nullptr;
  }
  Doorbell& of(Slot slot) const noexcept { return bells_[slot - first_slot_]; }
  void ring_window_group() const noexcept {
    for (Slot i = 0; i < window_group_slots_; ++i) of(window_group_first_slot_ + i).ring();
  }
  // Wakes the threads of one process of this machine.
  void ring_process(const Topology& t, Rank rank) const noexcept {
    for (Slot s = t.first_slot[rank]; s < t.first_slot[rank + 1]; ++s) of(s).ring();
  }
  // For a conduit of a network that has sent a message to `rank`: wakes it when it is on this host, so that
  // it polls at once instead of when its nap is over. Costs one load for each thread of that process while
  // none of them sleeps.
  void ring_neighbour(const Topology& t, Rank rank) const noexcept {
    if (t.on_my_host(rank)) ring_process(t, rank);
  }

 private:
  MemoryFile::Area area_{};
  Slot first_slot_ = 0;
  Slot window_group_first_slot_ = 0, window_group_slots_ = 0;
  Doorbell* bells_ = nullptr;
};

}  // namespace upcr

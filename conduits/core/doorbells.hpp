// SPDX-License-Identifier: BSD-3-Clause
// One doorbell per slot of the host, in the host's shared memory. A thread that waits sleeps on its own;
// whoever stores what it waits for (a message in its process's ring, a barrier's release, a lock's grant)
// rings it. See base/futex.hpp for the protocol.
#pragma once
#include "conduits/base/futex.hpp"
#include "conduits/core/node_memory.hpp"
#include "conduits/core/topology.hpp"

namespace upcr {

class Doorbells {
 public:
  void plan(NodeMemory& memory, const Topology& topology) {
    first_slot_ = topology.first_slot[topology.host_first];
    count_ = topology.first_slot[topology.host_first + topology.host_size] - first_slot_;
    area_ = memory.reserve(count_ * sizeof(Doorbell));
  }
  void attach(const NodeMemory& memory) { bells_ = memory.at<Doorbell>(area_); }

  bool has(Slot slot) const noexcept { return slot - first_slot_ < count_ && bells_ != nullptr; }
  Doorbell& of(Slot slot) const noexcept { return bells_[slot - first_slot_]; }
  // Wakes the threads of one process of this host.
  void ring_process(const Topology& t, Rank rank) const noexcept {
    for (Slot s = t.first_slot[rank]; s < t.first_slot[rank + 1]; ++s) of(s).ring();
  }
  void ring_host() const noexcept {
    for (Slot s = 0; s < count_; ++s) bells_[s].ring();
  }

 private:
  NodeMemory::Area area_{};
  Slot first_slot_ = 0, count_ = 0;
  Doorbell* bells_ = nullptr;
};

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
// A Barrier (state.hpp) in the memory of the window group, whose waits poll. Any thread; not from a handler.
#pragma once
#include "conduits/core/barrier/state.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/progress/progress.hpp"

namespace upcr {

class BlockingBarrier {
 public:
  BlockingBarrier() = default;
  BlockingBarrier(const BlockingBarrier&) = delete;
  BlockingBarrier& operator=(const BlockingBarrier&) = delete;

  // At attach: plan() reserves its part of the group's memory before that is created; attach() does the rest,
  // before the first message. Collective. `spins`: every thread has a CPU. The arguments outlive this object.
  void plan(MemoryFile& memory, const Topology& topology);
  void attach(Bootstrap& bootstrap, const MemoryFile& memory, const Topology& topology,
              const Doorbells& doorbells, AmEngine& engine, ProgressEngine& progress, bool spins);

  // Thread `slot` (of this process) arrives. Never waits.
  void notify(Slot slot, BarrierValue value, Arrival arrival = Arrival::kSplit) {
    barrier_.notify(slot, value, arrival);
  }
  // True if all threads have arrived; then the next notify may follow.
  bool try_wait(Slot slot, BarrierResult* result);
  // Polls until all threads have arrived.
  BarrierResult wait(Slot slot);
  // Has `other`, a thread of this window group, arrived at a later barrier than thread `slot` of this
  // process? A thread that waits for something that `other` does before that barrier learns that it will not
  // come; what `other` did before its arrival is visible.
  bool is_ahead(Slot other, Slot slot) const noexcept { return barrier_.ahead(other, slot); }

 private:
  static constexpr unsigned kExtraPolls = 8;

  Barrier barrier_;
  MemoryFile::Area area_;
  ProgressEngine* progress_ = nullptr;
  bool spins_ = true;
};

}  // namespace upcr

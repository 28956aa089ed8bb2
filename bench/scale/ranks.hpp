// SPDX-License-Identifier: BSD-3-Clause
// A simulated rank: a job of the product's over a conduit that passes packets to the simulator, with one UPC
// thread. The C functions of the UPC API use a runtime by a global pointer, and a UPC thread has a few
// thread-local variables; enter() sets both to this rank's. Core has no global state.
#pragma once
#include <array>

#include "bench/scale/machine.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/sync/lock_nodes.hpp"

namespace upcr::scale {

class SimRank {
 public:
  // Attaches the rank, as attach_job() and upcr_startup_attach() do, and enters it. Never destroyed: its
  // tables are shared.
  SimRank(const Plan& plan, Rank rank);
  SimRank(const SimRank&) = delete;
  SimRank& operator=(const SimRank&) = delete;

  // The calling thread becomes, or no longer is, the UPC thread of this rank.
  void enter() noexcept;
  void leave() noexcept;
  // On the rank's fiber. False: a wrong result.
  bool run(Op op);

 private:
  void share_topology();
  void make_memory();
  void make_thread();
  bool work(Op op);
  bool broadcast();
  bool reduce();

  const Plan& plan_;
  const Rank rank_;
  Runtime runtime_;
  std::array<LockEntry, LockNodes::kEntries> lock_entries_{};  // of the UPC thread, while it is not entered
};

}  // namespace upcr::scale

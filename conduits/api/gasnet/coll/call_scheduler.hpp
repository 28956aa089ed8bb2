// SPDX-License-Identifier: BSD-3-Clause
// Runs the calls of this process that are not done: resumes them on one thread at a time, outside of
// handlers.
#pragma once
#include <atomic>
#include <vector>

#include "conduits/core/base/system/spinlock.hpp"

namespace upcr::gasnet::coll {

class Call;

class CallScheduler {
 public:
  void attach();
  // Runs the call up to its first wait, too. Any thread.
  void start(Call& call);
  void run();
  // While a call is stepped: it did something that another call of this process may wait for.
  void note_local_progress() noexcept { moved_here_.store(true, std::memory_order_relaxed); }

 private:
  void take_fresh();
  bool one_round();
  void finish(Call& call);

  SpinLock fresh_lock_;
  Call* fresh_ = nullptr;
  SpinLock running_;
  std::atomic<bool> recheck_at_{false}, moved_here_{false};
  std::vector<Call*> active_;  // under running_
};

CallScheduler& call_scheduler() noexcept;

}  // namespace upcr::gasnet::coll

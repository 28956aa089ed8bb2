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
  // Resumes the calls that can go on, for a limited time. The progress hook; any thread.
  void run();
  // From a call that runs: it did something that another call of this process may wait for.
  void note_local_progress() noexcept { local_progress_.store(true, std::memory_order_relaxed); }

 private:
  void take_new_calls();
  bool one_round();
  void finish(Call& call);

  SpinLock new_calls_lock_;
  Call* new_calls_ = nullptr;
  SpinLock running_;
  std::atomic<bool> run_again_{false}, local_progress_{false};
  std::vector<Call*> active_;  // under running_
};

CallScheduler& call_scheduler() noexcept;

}  // namespace upcr::gasnet::coll

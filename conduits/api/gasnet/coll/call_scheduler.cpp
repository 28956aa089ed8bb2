// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/coll/call_scheduler.hpp"

#include <mutex>

#include "conduits/api/gasnet/coll/call.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_work.hpp"

namespace upcr::gasnet::coll {

CallScheduler& call_scheduler() noexcept {
  static CallScheduler* const the_scheduler = new CallScheduler;  // never destroyed: threads may outlive main
  return *the_scheduler;
}

void CallScheduler::attach() {
  job().progress.add_hook(
      [](void*) {
        call_scheduler().run();
        return 0u;
      },
      nullptr);
}

void CallScheduler::start(Call& call) {
  {
    const std::lock_guard guard(new_calls_lock_);
    call.next_ = new_calls_;
    new_calls_ = &call;
  }
  job().progress.work().begin();
  run();
}

// When another thread runs the calls, or this one already does (a send may poll), that run is told to repeat
// itself.
void CallScheduler::run() {
  run_again_.store(true, std::memory_order_relaxed);
  for (;;) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!run_again_.load(std::memory_order_relaxed) || !running_.try_lock()) return;
    run_again_.store(false, std::memory_order_relaxed);
    while (one_round()) continue;
    running_.unlock();
  }
}

void CallScheduler::take_new_calls() {
  const std::lock_guard guard(new_calls_lock_);
  for (; new_calls_ != nullptr; new_calls_ = new_calls_->next_) active_.push_back(new_calls_);
}

// True: another round may resume a call.
bool CallScheduler::one_round() {
  take_new_calls();
  local_progress_.store(false, std::memory_order_relaxed);
  bool progress = false;
  for (std::size_t i = 0; i < active_.size();) {
    Call& call = *active_[i];
    while (!call.task_.done() && call.resume_if_ready()) progress = true;
    if (!call.task_.done()) {
      ++i;
      continue;
    }
    active_[i] = active_.back();
    active_.pop_back();
    finish(call);
  }
  return progress || local_progress_.load(std::memory_order_relaxed);
}

// The call may be gone once it is done.
void CallScheduler::finish(Call& call) {
  job().progress.work().end();
  call.done_.store(true, std::memory_order_release);
  if (job().multithreaded) job().doorbells.ring_process(job().topology, job().topology.rank);
}

}  // namespace upcr::gasnet::coll

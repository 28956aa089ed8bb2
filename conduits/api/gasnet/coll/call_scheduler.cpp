// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/coll/call_scheduler.hpp"

#include <mutex>

#include "conduits/api/gasnet/coll/call.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_work.hpp"

namespace upcr::gasnet::coll {

CallScheduler& call_scheduler() noexcept {
  static CallScheduler* const the_stepper = new CallScheduler;  // never destroyed: threads may outlive main
  return *the_stepper;
}

void CallScheduler::attach() {
  add_progress_hook(
      [](void*) {
        call_scheduler().run();
        return 0u;
      },
      nullptr);
}

void CallScheduler::start(Call& call) {
  {
    const std::lock_guard guard(fresh_lock_);
    call.next_ = fresh_;
    fresh_ = &call;
  }
  progress_work.begin();
  run();
}

// When another thread runs the calls, or this one already does (a send may poll), that run is told to repeat
// itself.
void CallScheduler::run() {
  recheck_at_.store(true, std::memory_order_relaxed);
  for (;;) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!recheck_at_.load(std::memory_order_relaxed) || !running_.try_lock()) return;
    recheck_at_.store(false, std::memory_order_relaxed);
    while (one_round()) continue;
    running_.unlock();
  }
}

void CallScheduler::take_fresh() {
  const std::lock_guard guard(fresh_lock_);
  for (; fresh_ != nullptr; fresh_ = fresh_->next_) active_.push_back(fresh_);
}

// True: another round may resume a call.
bool CallScheduler::one_round() {
  take_fresh();
  moved_here_.store(false, std::memory_order_relaxed);
  bool moved = false;
  for (std::size_t i = 0; i < active_.size();) {
    Call& call = *active_[i];
    while (!call.task_.done() && call.step()) moved = true;
    if (!call.task_.done()) {
      ++i;
      continue;
    }
    active_[i] = active_.back();
    active_.pop_back();
    finish(call);
  }
  return moved || moved_here_.load(std::memory_order_relaxed);
}

// The call may be gone once it is done.
void CallScheduler::finish(Call& call) {
  progress_work.end();
  call.done_.store(true, std::memory_order_release);
  if (job().multithreaded) job().doorbells.ring_process(job().topology, job().topology.rank);
}

}  // namespace upcr::gasnet::coll

// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/coll/call_scheduler.hpp"

#include <mutex>

#include "conduits/api/gasnet/coll/call.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_work.hpp"

namespace upcr::gasnet::coll {
namespace {

// Of one run() on behalf of other threads: each is a test of every call that waits.
constexpr unsigned kMaxRounds = 256;

void ring_process() noexcept {
  if (job().multithreaded) job().doorbells.ring_process(job().topology, job().topology.rank);
}

void leave_to_others() noexcept {
  job().progress.work().poll_again();
  ring_process();
}

}  // namespace

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

// When another thread runs the calls, or this one already does (a send may poll), that run repeats itself: a
// thread that sleeps after a poll relies on its messages having been used. Threads that poll or start calls
// all the time could keep this one here for ever, although its own call is done. So it leaves after
// kMaxRounds, and the others, which it wakes, go on.
void CallScheduler::run() {
  unsigned rounds = 0;
  run_again_.store(true, std::memory_order_relaxed);
  for (;;) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!run_again_.load(std::memory_order_relaxed) || !running_.try_lock()) return;
    run_again_.store(false, std::memory_order_relaxed);
    bool progress = true;
    while (progress && rounds < kMaxRounds) {
      progress = one_round();
      ++rounds;
    }
    running_.unlock();
    if (rounds == kMaxRounds) return leave_to_others();
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
  ring_process();
}

}  // namespace upcr::gasnet::coll

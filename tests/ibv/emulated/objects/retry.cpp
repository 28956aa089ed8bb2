// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/objects/retry.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace emulated {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

class RetryThread {
 public:
  // Never destroyed: the thread runs as long as the process.
  static RetryThread& get() {
    static RetryThread& thread = *new RetryThread;
    return thread;
  }
  void add(QueuePairHandle* handle, Run run) {
    run_ = run;
    waiting_.push_back(handle);
    const std::lock_guard lock(mutex_);
    if (handle->retry_at >= due_) return;
    due_ = handle->retry_at;
    changed_.notify_one();
  }
  void remove(QueuePairHandle* handle) { std::erase(waiting_, handle); }

 private:
  // Signals are for the threads of the program.
  RetryThread() {
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([this] { work(); }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  [[noreturn]] void work() {
    for (;;) {
      sleep();
      Guard guard;
      const std::int64_t now = now_ns();
      const std::vector<QueuePairHandle*> before = waiting_;
      for (QueuePairHandle* handle : before)
        if (handle->retry_at <= now) run_(guard.fabric(), handle);
      std::int64_t due = kNever;
      for (const QueuePairHandle* handle : waiting_) due = std::min(due, handle->retry_at);
      const std::lock_guard lock(mutex_);
      due_ = due;
    }
  }

  void sleep() {
    std::unique_lock lock(mutex_);
    while (due_ == kNever || due_ > now_ns()) {
      if (due_ == kNever)
        changed_.wait(lock);
      else
        changed_.wait_for(lock, std::chrono::nanoseconds(due_ - now_ns()));
    }
  }

  std::vector<QueuePairHandle*> waiting_;  // under the fabric's mutex, as run_
  Run run_ = nullptr;
  std::mutex mutex_;  // of what follows; taken behind the fabric's
  std::condition_variable changed_;
  std::int64_t due_ = kNever;
};

}  // namespace

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void remember_waiting(QueuePairHandle* handle, Run run) {
  if (handle->waits) RetryThread::get().remove(handle);
  handle->waits = true;
  RetryThread::get().add(handle, run);
}

void forget_waiting(QueuePairHandle* handle) {
  if (!handle->waits) return;
  handle->waits = false;
  RetryThread::get().remove(handle);
}

}  // namespace emulated

// SPDX-License-Identifier: BSD-3-Clause
// Whether ProgressEngine::poll() has more to do than to poll the conduit. An idle poll is part of what every
// message takes, so it reads one word instead of calling every hook: the number of pending operations that a
// hook advances (deferred requests, threads of other processes that wait for a semaphore here, non-blocking
// collectives).
//
// A caller that queues such an operation calls begin() afterwards, and end() when it has been removed. Any
// thread, handlers too. A thread that does not see the count yet behaves as if it had polled earlier; the
// thread that queued the operation sees it.
#pragma once
#include <atomic>
#include <cstdint>

#include "conduits/core/base/system/cpu.hpp"

namespace upcr {

class alignas(kCacheLine) ProgressWork {
 public:
  void begin() noexcept { count_.fetch_add(1, std::memory_order_release); }
  void end() noexcept { count_.fetch_sub(1, std::memory_order_relaxed); }
  bool any() const noexcept { return count_.load(std::memory_order_acquire) != 0; }

  // Called by a hook whose message waits for room, which no ring announces, or which has left work that can
  // be done at once: a waiting thread polls again instead of sleeping.
  void poll_again() noexcept { again_.store(true, std::memory_order_relaxed); }
  bool needs_poll() noexcept {
    return again_.load(std::memory_order_relaxed) && again_.exchange(false, std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> again_{false};
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace upcr

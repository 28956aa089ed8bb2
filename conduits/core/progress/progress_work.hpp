// SPDX-License-Identifier: BSD-3-Clause
// Whether make_progress() has more to do than to poll. An idle poll is part of what every message takes, so
// it asks one word instead of every hook: the number of things under way that want to be moved on (deferred
// requests, threads of other processes that wait for a semaphore here, non-blocking collectives).
//
// Whoever notes such a thing calls begin() after it is noted; whoever takes it out calls end(). Any thread,
// handlers too. A thread that does not see it yet is as one that polled a moment earlier; the one that noted
// it sees it.
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

  // A hook's: something waits for room on the wire, which comes without a ring, so whoever waits does not
  // sleep yet.
  void poll_again() noexcept { again_.store(true, std::memory_order_relaxed); }
  bool needs_poll() noexcept {
    return again_.load(std::memory_order_relaxed) && again_.exchange(false, std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> again_{false};
  std::atomic<std::uint32_t> count_{0};
};
extern ProgressWork progress_work;

}  // namespace upcr

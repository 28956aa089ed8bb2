// SPDX-License-Identifier: BSD-3-Clause
// Doorbell: threads sleep on it, and a thread of any process that maps it wakes them (an event count).
//
// ring() needs no fence on the fast path: the sleeper counts itself, issues a barrier on all processes'
// behalf (membarrier) and checks its condition again before it sleeps. Where the kernel has no membarrier,
// the sleep is short instead (kBackstop), so a missed ring costs a delay, never a hang.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

class alignas(64) Doorbell {
 public:
  // Wakes every sleeper. Call after the store that the sleeper waits for (release or stronger).
  void ring() noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the caller's store stays before the load
    if (__builtin_expect(sleepers_.load(std::memory_order_relaxed) != 0, 0)) wake();
  }

  // Sleeps until rung or `limit` has passed, unless `ready()` holds once the sleeper is counted.
  template <typename Ready>
  void sleep(Ready&& ready, std::chrono::microseconds limit) noexcept {
    const std::uint32_t epoch = prepare_wait();
    if (!ready()) (void)wait(epoch, limit);
    finish_wait();
  }

  // The steps of sleep(), for a caller that checks its condition elsewhere: prepare_wait(), the check, wait()
  // if it does not hold, and finish_wait() in any case. wait() is true when the bell was rung. Where not
  // `reliable` a ring may be missed, rarely: for sleeps so short that this is no loss.
  UPCR_MODULE_API std::uint32_t prepare_wait(bool reliable = true) noexcept;
  UPCR_MODULE_API bool wait(std::uint32_t epoch, std::chrono::microseconds limit) noexcept;
  void finish_wait() noexcept { sleepers_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  UPCR_MODULE_API void wake() noexcept;

  std::atomic<std::uint32_t> epoch_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};
static_assert(sizeof(Doorbell) == 64);

// Registers the process for membarrier. Once, before its first sleep, and while it has one thread: with
// several the system call takes milliseconds.
void register_sleeper_process();

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
// Doorbell: threads sleep on it, and a thread of any process that maps it wakes them (an event count).
//
// Sleeper and ringing thread each store, then load what the other one stores (Dekker's pattern):
//
//   sleeper          sleepers_ += 1      B    load the condition; sleep if it is false
//   ringing thread   store the condition B'   load sleepers_; wake if it is not 0
//
// A ring is lost if both loads miss the other side's store. A processor may do that, since it delays stores
// past later loads (store buffers), unless B and B' forbid it. There are two choices:
//
//   asymmetric   B is membarrier(), B' a compiler fence. During the system call every running thread of the
//                registered processes executes a full fence (a thread that does not run has executed one when
//                its CPU was taken). That moment divides a thread's accesses: the sleeper's test sees stores
//                before it, and loads after it see the sleeper counted. B' keeps the ringing thread's store
//                before its load, so that one of these holds for it. A ring without a sleeper costs one load,
//                a sleep interrupts every CPU.
//                Dice, Huang, Yang, Asymmetric Dekker Synchronization (2001); membarrier(2), "Examples".
//   symmetric    B and B' are full fences (C++20 [atomics.order], paragraph 4: of two seq_cst fences one is
//                first, and loads after the second see stores before the first). A ring costs a call and a
//                fence, a sleep interrupts nobody. For hosts with many more threads than CPUs
//                (symmetric_bells_pay()), where most waits end in sleep: the kernel executes one membarrier
//                at a time, under a mutex, and hands that from sleeper to sleeper, each of which must first
//                get a CPU.
//
// The owner chooses for its bell, before others can ring it (make_symmetric). The choice is a bit of
// sleepers_, so that the fast path of ring() is the same: with the bit the count is not 0, and wake() does
// the rest.
//
// Where the kernel has no membarrier, sleeps on an asymmetric bell are short instead (kBackstop), so a missed
// ring costs a delay, never a hang. An event count: Reed, Kanodia, Synchronization with Eventcounts and
// Sequencers (1979).
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

class alignas(64) Doorbell {
 public:
  // Before another thread can ring the bell, and for good.
  void make_symmetric() noexcept { sleepers_.fetch_or(kSymmetric, std::memory_order_seq_cst); }

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
  //
  // A sleeper that was not rung may instead go on: prepare_again(), the check, wait(). It has remained
  // counted since prepare_wait(), so that all rings have been meant for it, and B has been done.
  UPCR_MODULE_API std::uint32_t prepare_wait(bool reliable = true) noexcept;
  std::uint32_t prepare_again() const noexcept { return epoch_.load(std::memory_order_acquire); }
  UPCR_MODULE_API bool wait(std::uint32_t epoch, std::chrono::microseconds limit) noexcept;
  void finish_wait() noexcept { sleepers_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t kSymmetric = std::uint32_t{1} << 31;
  UPCR_MODULE_API void wake() noexcept;
  bool is_symmetric() const noexcept { return (sleepers_.load(std::memory_order_relaxed) & kSymmetric) != 0; }

  std::atomic<std::uint32_t> epoch_{0};
  std::atomic<std::uint32_t> sleepers_{0};  // their number, and kSymmetric
};
static_assert(sizeof(Doorbell) == 64);

// Registers the process for membarrier. Once, before its first sleep, and while it has one thread: with
// several the system call takes milliseconds.
void register_sleeper_process();

}  // namespace upcr

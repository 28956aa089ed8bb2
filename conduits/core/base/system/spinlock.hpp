// SPDX-License-Identifier: BSD-3-Clause
// A lock for a few dozen instructions: spins briefly, then yields, so that it survives a preempted holder.
// Usable in shared memory between processes (no owner, no pointers). Zero-initialised is unlocked.
#pragma once
#include <sched.h>

#include <atomic>
#include <cstdint>
#include <mutex>

#include "conduits/core/base/system/cpu.hpp"

namespace upcr {

class SpinLock {
 public:
  void lock() noexcept {
    while (!try_lock()) {
      for (unsigned spins = 0; word_.load(std::memory_order_relaxed) != 0; ++spins) {
        if (spins < kSpins)
          cpu_pause();
        else
          sched_yield();
      }
    }
  }
  bool try_lock() noexcept { return word_.exchange(1, std::memory_order_acquire) == 0; }
  void unlock() noexcept { word_.store(0, std::memory_order_release); }

 private:
  static constexpr unsigned kSpins = 64;
  std::atomic<std::uint32_t> word_{0};
};

// Holds the lock only if `needed`: processes with one thread pay a branch, not an atomic operation.
inline std::unique_lock<SpinLock> lock_if(SpinLock& lock, bool needed) noexcept {
  std::unique_lock guard(lock, std::defer_lock);
  if (needed) guard.lock();
  return guard;
}

}  // namespace upcr

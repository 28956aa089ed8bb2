// SPDX-License-Identifier: BSD-3-Clause
// The little that is particular to a processor.
#pragma once
#include <sched.h>

#include <cstddef>

namespace upcr {

inline constexpr std::size_t kCacheLine = 64;

inline void cpu_pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// For a loop that waits a short while for another thread: mostly pauses, now and then gives its CPU away.
inline void cpu_relax_or_yield() noexcept {
  static thread_local unsigned turns = 0;
  if (++turns % 16 != 0)
    cpu_pause();
  else
    sched_yield();
}

inline constexpr std::size_t round_up(std::size_t value, std::size_t unit) noexcept {
  return (value + unit - 1) / unit * unit;
}

}  // namespace upcr

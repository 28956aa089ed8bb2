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

// Asks for a cache line that is about to be written. The store itself would ask only once all instructions
// before it are done. (__builtin_prefetch asks for a line to read where compilers may not assume prefetchw,
// which every x86-64 processor takes, if only as an instruction without effect.)
inline void prefetch_for_writing(const void* line) noexcept {
#if defined(__x86_64__)
  __asm__ volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
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

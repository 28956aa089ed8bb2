// SPDX-License-Identifier: BSD-3-Clause
// The differences between processors.
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

// Prefetches a cache line for ownership. The store itself would request it only once all instructions before
// it are done. (__builtin_prefetch fetches for reading where compilers may not assume prefetchw, which every
// x86-64 processor accepts, if only as an instruction without effect.)
inline void prefetch_for_writing(const void* line) noexcept {
#if defined(__x86_64__)
  __asm__ volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
#endif
}

// For a loop that waits a short while for another thread: mostly pauses, and yields the CPU every 16th time.
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

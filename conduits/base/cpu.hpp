// SPDX-License-Identifier: BSD-3-Clause
// The little that is particular to a processor.
#pragma once
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

inline constexpr std::size_t round_up(std::size_t value, std::size_t unit) noexcept {
  return (value + unit - 1) / unit * unit;
}

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
// The reference of the rows add_shared and add_pshared1: pointer arithmetic by hand, with THREADS and the
// block size as constants. tests/bench/constant_pointers.cpp checks that both compute the same pointers.
#pragma once
#include <upcr.h>

#include <cstddef>
#include <cstdint>

namespace perf {

inline constexpr std::size_t kElementBytes = 8;  // bytes of an element

// The pointer `to` elements after `start`, which points to thread 0 with phase 0. Element i is in block i /
// kElements, and kThreads blocks are a round.
template <std::uint64_t kThreads, std::uint64_t kElements>
inline upcr_shared_ptr_t element_pointer(upcr_shared_ptr_t start, std::uint64_t to) {
  const std::uint64_t phase = to % kElements, block = to / kElements;
  const std::uint64_t thread = block % kThreads, round = block / kThreads;
  const std::uint64_t bytes = (round * kElements + phase) * kElementBytes;
#ifdef UPCRI_POINTER_packed
  return start + bytes + (thread << UPCRI_ADDR_BITS) + (phase << UPCRI_PHASE_SHIFT);
#else
  start.s_addr += bytes;
  start.s_thread += static_cast<std::uint32_t>(thread);
  start.s_phase += static_cast<std::uint32_t>(phase);
  return start;
#endif
}

}  // namespace perf

// SPDX-License-Identifier: BSD-3-Clause
// Who uses which bytes of Crew::raw(), the memory that all threads share without upcr. Words that two sides
// wait for are 256 bytes apart, so that no prefetcher brings the one with the other.
#pragma once
#include <cstddef>

namespace perf::raw_layout {

inline constexpr std::size_t kPing = 0, kPong = 256;                // References::ping_pong
inline constexpr std::size_t kFutexPing = 512, kFutexPong = 768;    // References::futex_ping_pong
inline constexpr std::size_t kCpus = 1024;                          // References::count_cpus: 128 bytes
inline constexpr std::size_t kThere = 64 << 10, kBack = 128 << 10;  // References::ping_pong_copy

}  // namespace perf::raw_layout

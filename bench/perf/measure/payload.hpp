// SPDX-License-Identifier: BSD-3-Clause
// What a receiver does with a payload that is where it is to be: reads all of it, so that a time includes the
// way of its cache lines to the reader. The messages of gasnet_perf and their references alike.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace perf {

inline void read_payload(const void* data, std::size_t bytes) {
  const char* const from = static_cast<const char*>(data);
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at + sizeof sum <= bytes; at += sizeof sum) {
    std::uint64_t word;
    std::memcpy(&word, from + at, sizeof word);
    sum += word;
  }
  __asm__ __volatile__("" : : "r"(sum) : "memory");
}

}  // namespace perf

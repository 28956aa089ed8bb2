// SPDX-License-Identifier: BSD-3-Clause
// The mappings of this process, as /proc/self/maps shows them. Any thread; no allocation.
#pragma once
#include <cstdint>

namespace upcr::ibv {

struct Mapping {
  std::uintptr_t begin = 0, end = 0;
  // Private memory without a file behind it: only this process's own system calls change its pages.
  bool anonymous = false;
  bool writable = false;
};

// Parses one line of /proc/self/maps, without its newline. False: it is none.
bool parse_mapping(const char* line, Mapping* mapping) noexcept;

// Finds the mappings that overlap [begin, end), in order. Returns how many; 0: there is a hole in the range,
// there are more than `most`, or /proc cannot be read.
unsigned mappings_of(std::uintptr_t begin, std::uintptr_t end, Mapping* mappings, unsigned most) noexcept;

}  // namespace upcr::ibv

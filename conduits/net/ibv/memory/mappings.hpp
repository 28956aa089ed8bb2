// SPDX-License-Identifier: BSD-3-Clause
// The mappings of this process, as /proc/self/maps shows them. Any thread; no allocation.
#pragma once
#include <cstdint>

namespace upcr::ibv {

struct Mapping {
  std::uintptr_t begin = 0, end = 0;
  // Private memory behind which there is no file: only this process's own system calls change its pages.
  bool anonymous = false;
  bool writable = false;
};

// One line of /proc/self/maps, without its end. False: it is none.
bool parse_mapping(const char* line, Mapping* mapping) noexcept;

// The mappings that [begin, end) touches, in order. Returns how many; 0: there is a hole in the range, or it
// touches more than `most`, or /proc does not say.
unsigned mappings_of(std::uintptr_t begin, std::uintptr_t end, Mapping* mappings, unsigned most) noexcept;

}  // namespace upcr::ibv

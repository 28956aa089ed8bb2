// SPDX-License-Identifier: BSD-3-Clause
// The memory that this host can give (available_memory() of segment.hpp), and which limit that is. Any
// thread.
#pragma once
#include <cstdint>
#include <string>

namespace upcr {

struct MemoryLimit {
  std::uint64_t bytes;  // UINT64_MAX: unknown (no /proc is mounted)
  std::string source;   // "its free memory (...)", "its memory cgroup (...)"
};
// `root`: where the files of the system are, below another folder in tests.
MemoryLimit memory_limit(const std::string& root = {});

// The bytes that this process may still map (ulimit -v); UINT64_MAX: no limit.
std::uint64_t address_space_left();

}  // namespace upcr

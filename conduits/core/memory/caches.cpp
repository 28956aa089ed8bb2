// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/memory/caches.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace upcr {
namespace {

constexpr int kMaxCaches = 16;  // of one CPU

// The first line of ROOT/cpuN/cache/indexI/NAME.
bool read_line(const char* root, int cpu, int index, const char* name, char (&line)[64]) noexcept {
  char path[512];
  std::snprintf(path, sizeof path, "%s/cpu%d/cache/index%d/%s", root, cpu, index, name);
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return false;
  const bool got = std::fgets(line, sizeof line, file) != nullptr;
  std::fclose(file);
  return got;
}

// "32768K", "1M"; 0: no size.
std::size_t size_of(const char* text) noexcept {
  unsigned long long n = 0;
  char unit = 0;
  if (std::sscanf(text, "%llu%c", &n, &unit) < 1) return 0;
  return static_cast<std::size_t>(n) << (unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0);
}

}  // namespace

std::size_t last_level_cache(const char* root) noexcept {
  const int cpu = std::max(sched_getcpu(), 0);
  int highest = 0;
  std::size_t bytes = 0;
  for (int index = 0; index < kMaxCaches; ++index) {
    char type[64], level[64], size[64];
    if (!read_line(root, cpu, index, "type", type)) break;
    int n = 0;
    if (std::strncmp(type, "Instruction", 11) == 0 || !read_line(root, cpu, index, "level", level) ||
        !read_line(root, cpu, index, "size", size) || std::sscanf(level, "%d", &n) != 1 || n <= highest)
      continue;
    highest = n;
    bytes = size_of(size);
  }
  if (bytes != 0) return bytes;
#ifdef _SC_LEVEL3_CACHE_SIZE
  for (const int name : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (const long n = sysconf(name); n > 0) return static_cast<std::size_t>(n);
#endif
  return 0;
}

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
// How much shared memory this host can give: the least of what /proc/meminfo, the cgroups above this
// process and its own limits say. A file in memory can be sized to anything; only this tells.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "conduits/core/segment.hpp"

namespace upcr {
namespace {

std::uint64_t mem_available() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::uint64_t kib = 0;
  while (file >> key >> kib) {
    if (key == "MemAvailable:") return kib * 1024;
    std::getline(file, unit);
  }
  return UINT64_MAX;
}

// A number in a control file; UINT64_MAX when it is absent or "max".
std::uint64_t read_number(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : UINT64_MAX;
}

// The least room in a cgroup and its ancestors.
std::uint64_t cgroup_room(std::string root, std::string path, const char* limit_file,
                          const char* usage_file) {
  std::uint64_t room = UINT64_MAX;
  for (;;) {
    const std::uint64_t limit = read_number(root + path + "/" + limit_file);
    if (limit != UINT64_MAX) {
      const std::uint64_t used = read_number(root + path + "/" + usage_file);
      room = std::min(room, used == UINT64_MAX ? limit : limit - std::min(limit, used));
    }
    if (path.empty() || path == "/") return room;
    path.erase(path.rfind('/'));
  }
}

std::uint64_t cgroup_available() {
  std::ifstream file("/proc/self/cgroup");
  std::uint64_t room = UINT64_MAX;
  for (std::string line; std::getline(file, line);) {
    const std::size_t a = line.find(':'), b = line.find(':', a + 1);
    if (a == std::string::npos || b == std::string::npos) continue;
    const std::string controllers = line.substr(a + 1, b - a - 1), path = line.substr(b + 1);
    if (controllers.empty())
      room = std::min(room, cgroup_room("/sys/fs/cgroup", path, "memory.max", "memory.current"));
    else if (controllers.find("memory") != std::string::npos)
      room = std::min(
          room, cgroup_room("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes", "memory.usage_in_bytes"));
  }
  return room;
}

}  // namespace

std::uint64_t available_memory() { return std::min(mem_available(), cgroup_available()); }

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
// The shared memory that this host can give: the minimum of the limits in /proc/meminfo and of the cgroups
// above this process. A file in memory can be given any size, so ftruncate() does not report a lack of
// memory.
#include "conduits/core/memory/memory_limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/memory/segment.hpp"

namespace upcr {
namespace {

std::uint64_t mem_available(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
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

std::string size_text(std::uint64_t bytes) {
  char text[32];
  return format_size(bytes, text, sizeof text);
}

// The least room, and the limit that it comes from.
struct Room {
  std::uint64_t bytes = UINT64_MAX;
  std::string limit;
};

// The files of a hierarchy that limit memory.
struct Hierarchy {
  const char *mount, *limit, *usage;
};
constexpr Hierarchy kUnified{"/sys/fs/cgroup", "memory.max", "memory.current"};
constexpr Hierarchy kVersion1{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"};

// The least room in a cgroup and its ancestors.
Room cgroup_room(const std::string& root, std::string path, const Hierarchy& files) {
  Room room;
  for (;;) {
    const std::string folder = files.mount + (path == "/" ? "" : path) + "/";
    const std::uint64_t limit = read_number(root + folder + files.limit);
    if (limit != UINT64_MAX) {
      const std::uint64_t usage = read_number(root + folder + files.usage),
                          used = usage == UINT64_MAX ? 0 : usage;
      const std::uint64_t left = limit - std::min(limit, used);
      if (left < room.bytes)
        room = {left, "its memory cgroup (" + folder + files.limit + " is " + size_text(limit) +
                          ", of which " + size_text(used) + " are in use)"};
    }
    if (path.empty() || path == "/") return room;
    path.erase(path.rfind('/'));
  }
}

Room cgroup_available(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  Room room;
  const auto consider = [&room](Room&& other) {
    if (other.bytes < room.bytes) room = std::move(other);
  };
  for (std::string line; std::getline(file, line);) {
    const std::size_t a = line.find(':'), b = line.find(':', a + 1);
    if (a == std::string::npos || b == std::string::npos) continue;
    const std::string controllers = line.substr(a + 1, b - a - 1), path = line.substr(b + 1);
    if (controllers.empty())
      consider(cgroup_room(root, path, kUnified));
    else if (controllers.find("memory") != std::string::npos)
      consider(cgroup_room(root, path, kVersion1));
  }
  return room;
}

}  // namespace

MemoryLimit memory_limit(const std::string& root) {
  const std::uint64_t machine = mem_available(root);
  Room cgroup = cgroup_available(root);
  if (cgroup.bytes < machine) return {cgroup.bytes, std::move(cgroup.limit)};
  if (machine == UINT64_MAX) return {machine, "its free memory is unknown (there is no /proc/meminfo)"};
  return {machine, "its free memory (MemAvailable of /proc/meminfo is " + size_text(machine) + ")"};
}

std::uint64_t address_space_left() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

std::uint64_t available_memory() { return memory_limit().bytes; }

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/ibv/pin_error.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "conduits/base/config.hpp"
#include "conduits/base/report.hpp"

namespace upcr::ibv {
namespace {

std::string size_text(std::uint64_t bytes) {
  char text[32];
  return format_size(bytes, text, sizeof text);
}

// What the kernel counts against the limit of locked memory: pages pinned for devices, of this process.
std::uint64_t pinned_now() {
  std::FILE* file = std::fopen("/proc/self/status", "re");
  if (file == nullptr) return 0;
  char line[256];
  std::uint64_t kib = 0;
  while (std::fgets(line, sizeof line, file) != nullptr)
    if (std::sscanf(line, "VmPin: %" SCNu64, &kib) == 1) break;
  std::fclose(file);
  return kib * 1024;
}

}  // namespace

std::string why_not_registered(const Device& device, std::size_t bytes, int error) {
  std::string why = std::strerror(error);
  if (bytes > device.limits().max_region) {
    return why + "; the device registers at most " + size_text(device.limits().max_region) + " in one piece";
  }
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  if (limit.rlim_cur == RLIM_INFINITY) {
    return why + (error == ENOMEM
                      ? "; the limit of locked memory (ulimit -l) is unlimited, so the machine has not "
                        "enough free memory, or the device no more room for memory regions"
                      : "");
  }
  why += "; the limit of locked memory (ulimit -l) is " + size_text(limit.rlim_cur);
  if (const std::uint64_t pinned = pinned_now(); pinned != 0)
    why += ", of which " + size_text(pinned) + " are in use";
  why +=
      ": raise it (ulimit -l unlimited; memlock in /etc/security/limits.conf, or LimitMEMLOCK= of the "
      "service that starts the job)";
  return why;
}

void cannot_register(const Device& device, std::size_t bytes, const char* what, const char* smaller,
                     int error) {
  fatal("cannot register %s of %s with %s: %s%s%s", what, size_text(bytes).c_str(), device.name(),
        why_not_registered(device, bytes, error).c_str(), smaller != nullptr ? ", or lower " : "",
        smaller != nullptr ? smaller : "");
}

}  // namespace upcr::ibv

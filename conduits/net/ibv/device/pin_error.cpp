// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/device/pin_error.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/net/ibv/device/choice.hpp"

namespace upcr::ibv {
namespace {

std::string size_text(std::uint64_t bytes) {
  char text[32];
  return format_size(bytes, text, sizeof text);
}

struct Locked {
  std::uint64_t pinned = 0;  // for devices: what the kernel counts against the limit of locked memory
  bool unbound = false;      // the process may exceed the limit
};

Locked locked_now() noexcept {
  Locked now;
  std::FILE* file = std::fopen("/proc/self/status", "re");
  if (file == nullptr) return now;
  constexpr unsigned kIpcLock = 14;  // CAP_IPC_LOCK
  char line[256];
  std::uint64_t value = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::sscanf(line, "VmPin: %" SCNu64, &value) == 1) now.pinned = value * 1024;
    if (std::sscanf(line, "CapEff: %" SCNx64, &value) == 1) now.unbound = (value >> kIpcLock & 1) != 0;
  }
  std::fclose(file);
  return now;
}

}  // namespace

bool is_no_room(int error) noexcept {
  return error == ENOMEM || error == ENOSPC || error == EAGAIN || error == EMFILE;
}

std::size_t lockable_now() noexcept {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  const Locked now = locked_now();
  if (limit.rlim_cur == RLIM_INFINITY || now.unbound) return SIZE_MAX;
  return limit.rlim_cur > now.pinned ? limit.rlim_cur - now.pinned : 0;
}

std::string why_not_registered(const Device& device, std::size_t bytes, int error) {
  std::string why = std::strerror(error);
  if (bytes > device.limits().max_region) {
    return why + "; the device registers at most " + size_text(device.limits().max_region) + " in one piece";
  }
  if (error != ENOMEM && error != EAGAIN) return why;
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  const Locked now = locked_now();
  if (limit.rlim_cur == RLIM_INFINITY || now.unbound) {
    return why +
           (now.unbound ? "; no limit of locked memory binds this process (CAP_IPC_LOCK)"
                        : "; the limit of locked memory (ulimit -l) is unlimited") +
           ", so the machine has not enough free memory, or the device no more room for memory regions";
  }
  why += "; the limit of locked memory (ulimit -l) is " + size_text(limit.rlim_cur);
  if (now.pinned != 0) why += ", of which " + size_text(now.pinned) + " are in use";
  why +=
      ": raise it (ulimit -l unlimited; memlock in /etc/security/limits.conf, or LimitMEMLOCK= of the "
      "service that starts the job)";
  return why;
}

void cannot_register(const Device& device, std::size_t bytes, const char* what, const char* smaller,
                     int error) {
  fatal_setting("cannot register %s of %s with %s: %s%s%s%s", what, size_text(bytes).c_str(), device.name(),
                why_not_registered(device, bytes, error).c_str(), smaller != nullptr ? ", or lower " : "",
                smaller != nullptr ? smaller : "", other_conduit());
}

}  // namespace upcr::ibv

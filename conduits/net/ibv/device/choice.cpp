// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/device/choice.hpp"

#include "conduits/core/base/config/config.hpp"

namespace upcr::ibv {

std::string reason_not_to_choose(const Found& found, const char* ports, std::size_t lockable) {
  const Choice choice = choose_ports(found, ports, 0, kMaxPorts);
  if (!choice.error.empty()) return choice.error;
  const FoundDevice& device = found.devices[choice.ports.front().device];
  if (device.software && ports == nullptr)
    return device.name + " is a device in software, which is used only if it is asked for (UPCR_CONDUIT=ibv)";
  if (lockable < kMinLockable) {
    char has[32], required[32];
    return std::string("only ") + format_size(lockable, has, sizeof has) +
           " of memory can be locked for devices (ulimit -l), and at least " +
           format_size(kMinLockable, required, sizeof required) + " are required";
  }
  return "";
}

const char* other_conduit() noexcept {
  return config_is_set("UPCR_CONDUIT") ? ""
                                       : " (ibv is used because every process of the job found a device; "
                                         "UPCR_CONDUIT=mpi does without)";
}

}  // namespace upcr::ibv

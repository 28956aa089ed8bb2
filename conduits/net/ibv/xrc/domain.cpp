// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/xrc/domain.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace upcr::ibv {

std::string XrcDomain::open(Bootstrap& bootstrap, const Topology& topology,
                            std::span<Device* const> devices) {
  hosts_ = bootstrap.gather(&topology.host_first, sizeof topology.host_first);
  file_ = std::make_unique<MemoryFile>();
  file_->create(bootstrap, topology, topology.host_first, topology.host_size, 0);
  std::int32_t error = 0;
  for (Device* device : devices)
    if (error == 0) error = device->open_xrcd(file_->fd());
  const Table table = bootstrap.gather(&error, sizeof error);
  const auto errors = table.of<std::int32_t>();
  const auto failed = std::find_if(errors.begin(), errors.end(), [](std::int32_t e) { return e != 0; });
  if (failed == errors.end()) return "";
  for (Device* device : devices) device->close_xrcd();
  close();
  return "rank " + std::to_string(failed - errors.begin()) +
         " cannot open an XRC domain: " + std::strerror(*failed);
}

}  // namespace upcr::ibv

// SPDX-License-Identifier: BSD-3-Clause
// Registers private memory with a device, for a registration cache: its pages are pinned, or the device pages
// them on demand (IBV_ACCESS_ON_DEMAND). Under the cache's lock.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/net/ibv/device/device.hpp"
#include "conduits/net/ibv/memory/registration_cache.hpp"

namespace upcr::ibv {

// Memory on demand follows what happens to its addresses: nothing needs to watch it. But the device gets at
// it only as the mapping there allows, and what is registered for writing may be refused where it is
// read-only by then, for reading, too. So sources and sinks are registered apart, with exactly their rights.
enum class Paging : std::uint8_t { kPinned, kSourcesOnDemand, kSinksOnDemand };

class DeviceRegistrar final : public Registrar {
 public:
  DeviceRegistrar(const Device& device, Paging paging) : device_(device), paging_(paging) {}

  // On demand, memory is kNotAllowed that is no anonymous memory of this process: a device's may be mapped,
  // but not paged.
  Result add(std::uintptr_t begin, std::size_t bytes, bool writable, std::uint32_t* key,
             void** handle) override;
  void remove(void* handle) override;

 private:
  const Device& device_;
  const Paging paging_;
  bool logged_ = false;
};

}  // namespace upcr::ibv

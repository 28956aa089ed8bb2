// SPDX-License-Identifier: BSD-3-Clause
// Private memory that is registered for a transfer (Memory::pin).
#pragma once
#include <cstdint>

namespace upcr::ibv {

enum class Use : std::uint8_t {
  kSource,  // the device reads it: may be read-only memory
  kSink,    // the device writes it
};

struct Registration {
  std::uint32_t key = 0;     // of this side
  std::uint32_t device = 0;  // Device::index() of the device for whose work requests it is
};

}  // namespace upcr::ibv

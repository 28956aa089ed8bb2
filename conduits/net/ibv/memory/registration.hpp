// SPDX-License-Identifier: BSD-3-Clause
// What a transfer gets when its private memory has been registered (Memory::pin).
#pragma once
#include <cstdint>

namespace upcr::ibv {

enum class Use : std::uint8_t {
  kSource,  // the device reads it: may be read-only memory
  kSink,    // the device writes it
};

struct Registration {
  std::uint32_t key = 0;     // of this side
  std::uint32_t device = 0;  // Device::index(): for whose work requests
};

}  // namespace upcr::ibv

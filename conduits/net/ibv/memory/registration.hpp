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
  std::uint32_t key = 0;    // of this side
  std::uint32_t cache = 0;  // which one has it, as its constructor was told
};

}  // namespace upcr::ibv

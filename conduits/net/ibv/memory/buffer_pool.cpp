// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/memory/buffer_pool.hpp"

namespace upcr::ibv {

void BufferPool::open(std::span<Device* const> devices, std::size_t bytes, unsigned count,
                      const char* purpose, unsigned lists) {
  constexpr std::size_t kLine = 64;
  stride_ = (bytes + kLine - 1) / kLine * kLine;
  count_ = count;
  slab_.open(devices, stride_ * count * lists, purpose);
  lists_ = std::make_unique<List[]>(lists);
  for (unsigned list = 0; list < lists; ++list) {
    lists_[list].free.reserve(count);
    for (unsigned nth = count; nth > 0; --nth) lists_[list].free.push_back(list * count + nth - 1);
  }
}

void BufferPool::close() noexcept {
  slab_.close();
  lists_ = nullptr;
  count_ = 0;
}

}  // namespace upcr::ibv

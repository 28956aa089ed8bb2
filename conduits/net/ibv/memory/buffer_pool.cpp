// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/memory/buffer_pool.hpp"

namespace upcr::ibv {

void BufferPool::open(std::span<Device* const> devices, std::size_t bytes, unsigned count,
                      const char* purpose) {
  constexpr std::size_t kLine = 64;
  stride_ = (bytes + kLine - 1) / kLine * kLine;
  count_ = count;
  slab_.open(devices, stride_ * count, purpose);
  free_.reserve(count);
  for (unsigned nth = count; nth > 0; --nth) free_.push_back(nth - 1);
}

void BufferPool::close() noexcept {
  slab_.close();
  free_.clear();
  count_ = 0;
}

}  // namespace upcr::ibv

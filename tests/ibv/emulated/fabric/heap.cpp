// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/fabric/heap.hpp"

#include <bit>
#include <cstring>

namespace emulated {

unsigned Heap::class_of(std::size_t bytes) noexcept {
  return bytes <= 64 ? 6 : static_cast<unsigned>(std::bit_width(bytes - 1));
}

Offset Heap::allocate(std::size_t bytes, std::byte* base) noexcept {
  const unsigned n = class_of(bytes);
  if (const Offset block = free_[n]; block != 0) {
    std::memcpy(&free_[n], base + block, sizeof(Offset));
    return block;
  }
  if (end_ + (std::size_t{1} << n) > kFileBytes) return 0;
  const Offset block = end_;
  end_ += std::size_t{1} << n;
  return block;
}

void Heap::release(Offset block, std::size_t bytes, std::byte* base) noexcept {
  if (block == 0) return;
  const unsigned n = class_of(bytes);
  std::memcpy(base + block, &free_[n], sizeof(Offset));
  free_[n] = block;
}

}  // namespace emulated

// SPDX-License-Identifier: BSD-3-Clause
// Registered buffers of one size, for messages to be sent and as bounce buffers of transfers. The buffer that
// was released last is used first, so that a few of them stay in the processor's cache.
//
// Threads: under the conduit's lock. acquire() and release() allocate nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "conduits/net/ibv/memory/slab.hpp"

namespace upcr::ibv {

class BufferPool {
 public:
  // `count` buffers of at least `bytes` bytes, each at the start of a cache line. `purpose` names them in
  // errors.
  void open(std::span<Device* const> devices, std::size_t bytes, unsigned count, const char* purpose);
  void close() noexcept;

  // Null: all of them are in use.
  char* acquire() noexcept {
    if (free_.empty()) return nullptr;
    const std::uint32_t nth = free_.back();
    free_.pop_back();
    return at(nth);
  }
  void release(char* buffer) noexcept {
    UPCR_ASSERT(free_.size() < count_ && (buffer - slab_.data()) % static_cast<std::ptrdiff_t>(stride_) == 0);
    free_.push_back(
        static_cast<std::uint32_t>((buffer - slab_.data()) / static_cast<std::ptrdiff_t>(stride_)));
  }

  // By number, 0 to count() - 1.
  char* at(std::uint32_t nth) const noexcept { return slab_.data() + nth * stride_; }
  unsigned count() const noexcept { return count_; }
  unsigned available() const noexcept { return static_cast<unsigned>(free_.size()); }
  std::size_t buffer_bytes() const noexcept { return stride_; }
  std::uint32_t key(const Device& device) const noexcept { return slab_.key(device); }

 private:
  Slab slab_;
  std::size_t stride_ = 0;
  unsigned count_ = 0;
  std::vector<std::uint32_t> free_;  // a stack; never grows beyond what open() gave it
};

}  // namespace upcr::ibv

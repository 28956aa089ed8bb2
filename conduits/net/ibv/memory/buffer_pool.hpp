// SPDX-License-Identifier: BSD-3-Clause
// Registered buffers of one size, for messages to be sent and as bounce buffers of transfers. The buffer that
// was released last is used first, so that a few of them stay in the processor's cache. They may be dealt to
// several lists, one for each lock under which they are used.
//
// Threads: open() and close() on the main thread; acquire(), release() and available() of a list under a lock
// of the caller's, and they allocate nothing; the rest is constant in between.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "conduits/net/ibv/memory/slab.hpp"

namespace upcr::ibv {

class BufferPool {
 public:
  // `count` buffers in each of `lists`, of at least `bytes` bytes, each at the start of a cache line.
  // `purpose` names them in errors.
  void open(std::span<Device* const> devices, std::size_t bytes, unsigned count, const char* purpose,
            unsigned lists = 1);
  void close() noexcept;

  // Null: all of the list are in use.
  char* acquire(unsigned list = 0) noexcept {
    std::vector<std::uint32_t>& free = lists_[list].free;
    if (free.empty()) return nullptr;
    const std::uint32_t nth = free.back();
    free.pop_back();
    return at(nth);
  }
  // To the list that it came from.
  void release(char* buffer, unsigned list = 0) noexcept {
    const auto nth = static_cast<std::size_t>(buffer - slab_.data()) / stride_;
    UPCR_ASSERT(nth / count_ == list && buffer == at(static_cast<std::uint32_t>(nth)));
    lists_[list].free.push_back(static_cast<std::uint32_t>(nth));
  }

  // By number, from 0.
  char* at(std::uint32_t nth) const noexcept { return slab_.data() + nth * stride_; }
  unsigned available(unsigned list = 0) const noexcept {
    return static_cast<unsigned>(lists_[list].free.size());
  }
  std::size_t buffer_bytes() const noexcept { return stride_; }
  std::uint32_t key(const Device& device) const noexcept { return slab_.key(device); }

 private:
  struct alignas(64) List {
    std::vector<std::uint32_t> free;  // a stack; never grows beyond what open() gave it
  };

  Slab slab_;
  std::size_t stride_ = 0;
  unsigned count_ = 0;  // of a list
  std::unique_ptr<List[]> lists_;
};

}  // namespace upcr::ibv

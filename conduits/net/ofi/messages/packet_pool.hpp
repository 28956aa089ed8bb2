// SPDX-License-Identifier: BSD-3-Clause
// Buffers of packets in one piece of memory, which the provider knows if it wants to, each with the operation
// that uses it.
//
// Threads: under the conduit's lock; open() and close() on the main thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/net/ofi/fabric/network.hpp"
#include "conduits/net/ofi/messages/operation.hpp"
#include "conduits/net/ofi/messages/wire.hpp"

namespace upcr::ofi {

class PacketPool {
 public:
  void open(Network& network, OperationKind kind, std::size_t buffers) {
    network_ = &network;
    packets_ = std::make_unique_for_overwrite<Packet[]>(buffers);
    operations_ = std::make_unique<Operation[]>(buffers);
    registration_ = network.memory().add_local(packets_.get(), buffers * sizeof(Packet), FI_SEND | FI_RECV);
    desc_ = registration_.desc();
    free_.reserve(buffers);
    for (std::size_t i = buffers; i > 0; --i) {
      const auto index = static_cast<std::uint32_t>(i - 1);
      operations_[index].kind = kind;
      operations_[index].buffer = index;
      free_.push_back(index);
    }
    size_ = buffers;
  }
  void close() {
    network_->memory().remove(registration_);
    packets_.reset();
    operations_.reset();
  }

  std::size_t size() const noexcept { return size_; }
  std::size_t available() const noexcept { return free_.size(); }
  bool all_free() const noexcept { return free_.size() == size_; }
  // The buffer used last is used next, while it is in the cache. Not when available() is 0.
  std::uint32_t acquire() noexcept {
    const std::uint32_t buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void release(std::uint32_t buffer) noexcept { free_.push_back(buffer); }
  char* packet(std::uint32_t buffer) noexcept { return packets_[buffer].bytes; }
  Operation& operation(std::uint32_t buffer) noexcept { return operations_[buffer]; }
  void* desc() const noexcept { return desc_; }

 private:
  struct alignas(64) Packet {
    char bytes[kPacketBytes];
  };

  Network* network_ = nullptr;
  std::unique_ptr<Packet[]> packets_;
  std::unique_ptr<Operation[]> operations_;
  Registration registration_;
  void* desc_ = nullptr;
  std::vector<std::uint32_t> free_;
  std::size_t size_ = 0;
};

}  // namespace upcr::ofi

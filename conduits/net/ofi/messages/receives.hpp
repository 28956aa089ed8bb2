// SPDX-License-Identifier: BSD-3-Clause
// Receive buffers, posted for packets from any peer. A provider that has no room for one more receive takes
// it later.
//
// Threads: under the conduit's lock; open() and close() on the main thread.
#pragma once
#include <cstdint>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "conduits/net/ofi/messages/packet_pool.hpp"

namespace upcr::ofi {

class Receives {
 public:
  void open(Network& network, std::size_t buffers) {
    network_ = &network;
    pool_.open(network, OperationKind::kReceive, buffers);
    while (pool_.available() != 0) unposted_.push_back(pool_.acquire());
    post();
    if (unposted_.size() == buffers) fatal("the provider takes no receive buffer at all");
  }
  void close() { pool_.close(); }

  char* packet(std::uint32_t buffer) noexcept { return pool_.packet(buffer); }
  // The buffer of a packet that has arrived can be used again.
  void release(std::uint32_t buffer) {
    unposted_.push_back(buffer);
    post();
  }
  bool has_unposted() const noexcept { return !unposted_.empty(); }
  void post() {
    while (!unposted_.empty()) {
      const std::uint32_t buffer = unposted_.back();
      const ssize_t error = ::fi_recv(network_->endpoint(), pool_.packet(buffer), kPacketBytes, pool_.desc(),
                                      FI_ADDR_UNSPEC, &pool_.operation(buffer));
      if (error == -FI_EAGAIN) return;
      check(error, "fi_recv");
      unposted_.pop_back();
    }
  }

 private:
  Network* network_ = nullptr;
  PacketPool pool_;
  std::vector<std::uint32_t> unposted_;
};

}  // namespace upcr::ofi

// SPDX-License-Identifier: BSD-3-Clause
// Packets on their way out. A short one is injected: the provider copies it. A packet that the provider does
// not take now (the peer's connection is being made, a queue is full) waits here, with those to the same peer
// behind it, and is offered again by each poll; packets to other peers pass it.
//
// Threads: under the conduit's lock; open() and close() on the main thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/net/ofi/messages/packet_pool.hpp"
#include "conduits/net/ofi/messages/peer.hpp"

namespace upcr {
class Bootstrap;
}

namespace upcr::ofi {

class Sends {
 public:
  void open(Network& network, Bootstrap& bootstrap, std::size_t buffers);
  void close() { pool_.close(); }

  std::size_t available() const noexcept { return pool_.available(); }
  // The memory of the next packet, kPacketBytes: write the packet there, then send() it. Not when available()
  // is 0.
  std::uint32_t acquire() noexcept { return pool_.acquire(); }
  char* packet(std::uint32_t buffer) noexcept { return pool_.packet(buffer); }
  void send(Peer& peer, std::uint32_t buffer, std::size_t bytes);

  // The send has completed.
  void complete(const Operation& operation) noexcept { pool_.release(operation.buffer); }
  bool has_deferred() const noexcept { return !deferred_.empty(); }
  void retry();
  // Everything has left.
  bool idle() const noexcept { return pool_.all_free(); }
  // From now on a send that has completed has left: nothing is injected any more.
  void stop_injecting() noexcept { inject_ = 0; }

  // A send to this process has failed: the end of the job. Libfabric's text does not name the cause.
  static constexpr const char kUsualCauses[] =
      "; its process or its host has gone, or the network on the way";
  [[noreturn, gnu::cold]] void fail(Rank peer, const std::string& why);

 private:
  struct Deferred {
    Peer* peer;
    std::uint32_t buffer;
  };
  bool offer(Peer& peer, std::uint32_t buffer);

  Network* network_ = nullptr;
  Bootstrap* bootstrap_ = nullptr;
  PacketPool pool_;
  std::size_t inject_ = 0;  // bytes of the longest packet that is injected
  std::vector<Deferred> deferred_;
};

}  // namespace upcr::ofi

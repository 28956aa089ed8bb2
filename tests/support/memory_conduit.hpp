// SPDX-License-Identifier: BSD-3-Clause
// A conduit without a network, for tests in one process: every "rank" is an object, the links between them
// are bounded queues in memory. Active messages only, with the required functions, and the whole contract of
// conduits/core/transport/conduit.hpp: a request is refused when its queue is full, and delivered only when
// there is room for its reply.
//
//   MemoryNet net(3, {.requests = 1, .reorder_seed = 7});
//   std::unique_ptr<Conduit> c = net.conduit(0);
//
// Any thread, as the interface demands; a MemoryNet must outlive its conduits.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "conduits/core/transport/conduit.hpp"

namespace upcr::test {

// A packet on the wire, by value.
struct WirePacket {
  Rank source = 0;
  AmHeader head{};
  std::vector<std::uint32_t> args;
  std::vector<std::uint64_t> payload;  // head.length bytes, 8-byte aligned
  const void* body = nullptr;  // not null: the end of the payload is read from there when the packet arrives
  std::size_t body_bytes = 0;
  Pending* read = nullptr;  // then completed

  static WirePacket of(Rank source, const AmPacket& packet);
};

class MemoryNet {
 public:
  struct Options {
    std::size_t max_medium = 4096;
    std::size_t max_bulk = 0;
    std::size_t requests = 16;       // packets that one wire (from, to) holds
    std::size_t replies = 16;        // the same for replies
    std::uint64_t reorder_seed = 0;  // not 0: any packet of a wire may arrive next, by this seed
    unsigned refuse_every = 0;       // not 0: every n-th request is refused although there is room
  };
  MemoryNet(Rank size, const Options& options);

  std::unique_ptr<Conduit> conduit(Rank rank);
  Rank size() const noexcept { return size_; }

  // For tests that inspect the wires or inject packets.
  void inject(Rank to, WirePacket packet);
  std::size_t on_wire(Rank from, Rank to) const;
  std::size_t on_wire() const;
  std::uint64_t refused() const;

 private:
  friend class MemoryConduit;
  struct Wire {
    std::deque<WirePacket> requests, replies;
  };

  Status send(Rank from, Rank to, const AmPacket& packet, Pending* read = nullptr);
  bool receive(Rank to, bool requests_too, WirePacket* packet);
  bool has_packet_for(Rank to) const;
  Wire& wire(Rank from, Rank to) { return wires_[std::size_t{from} * size_ + to]; }
  const Wire& wire(Rank from, Rank to) const { return wires_[std::size_t{from} * size_ + to]; }
  WirePacket pick(std::deque<WirePacket>& queue);

  const Rank size_;
  const Options options_;
  mutable std::mutex mutex_;
  std::vector<Wire> wires_;
  std::mt19937_64 random_;
  std::uint64_t requests_tried_ = 0, refused_ = 0;
  Rank turn_ = 0;
};

}  // namespace upcr::test

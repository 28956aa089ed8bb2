// SPDX-License-Identifier: BSD-3-Clause
// Moves packets between this process and its peers: what the credited channel asks of a Wire
// (core/transport/credited/channel.hpp) but for the packets of remote access, which a class derived from this
// one adds (endpoint/message_path.hpp).
//
// A message that does not fit in one packet is sent as several: fragments, then a packet with the rest. The
// receiver copies fragments to memory of their own and releases their receive buffers at once, so whatever
// may be held needs one receive buffer for each credit, and there are kSpareReceives more for everything
// else. A message uses as many credits as it has packets, but at most half of all: so many are always given
// back without being asked for (Credits::ack_due), and they bound what MPI keeps of packets that the receiver
// has not polled for.
//
// Threads: under the conduit's lock.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/credited/channel.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/mpi/messages/peer_flow_control.hpp"
#include "conduits/net/mpi/messages/receive_ring.hpp"
#include "conduits/net/mpi/messages/rendezvous_table.hpp"
#include "conduits/net/mpi/messages/send_pool.hpp"
#include "conduits/net/mpi/messages/wire.hpp"

namespace upcr::mpi {

inline constexpr unsigned kSendBuffers = 256;
// Send buffers that only the polling thread may use: for the reply to the request that it processes.
inline constexpr unsigned kSendReserve = kAmPackets;
// Receive buffers beyond those that held requests may occupy.
inline constexpr unsigned kSpareReceives = 64;

struct Peer;

// A packet that has arrived, in its receive buffer.
struct Packet {
  Peer* peer;  // its sender
  std::uint32_t buffer, bytes;
  char* data;             // aligned to a cache line
  char* ahead = nullptr;  // of a message that has fragments: they are here, and there is room for the rest
};

// The fragments of a message that have arrived, before the message itself.
struct Fragments {
  char* data = nullptr;  // kMaxMedium bytes of PacketWire's
  std::size_t bytes = 0;
};

struct Peer : CreditedPeer {
  PeerFlowControl flow;
  RendezvousTable transfers;
  Fragments request_fragments, reply_fragments;
  std::uint32_t packets_sent = 0, packets_received = 0;  // modulo 2^32, for drain()
};

class PacketWire {
 public:
  using Kind = mpi::Kind;
  using Peer = mpi::Peer;
  using Packet = mpi::Packet;

  static bool needs_credit(Kind kind) noexcept { return mpi::needs_credit(kind); }
  static unsigned packets_of(const AmPacket& p) noexcept {
    return 1 + fragments_of(p.head.nargs, p.head.length);
  }
  static unsigned credits_of(const Peer& peer, const AmPacket& p) noexcept {
    return credits_of(peer, packets_of(p));
  }
  bool has_room(unsigned packets) const noexcept { return sends_.available() >= packets + kSendReserve; }
  bool has_room(const Peer&, const AmPacket& p) const noexcept { return has_room(packets_of(p)); }
  bool has_room_for_reply(const Peer&) const noexcept { return sends_.available() >= kAmPackets; }
  bool has_room_for_update(const Peer&) const noexcept { return has_send_buffer(); }
  void send_message(Peer& peer, Kind kind, const AmPacket& p);
  // A packet that is a header alone. Not without room.
  void send_header(Peer& peer, Kind kind, std::uint32_t value);
  Peer* find(Rank rank) noexcept { return &peers_[rank]; }
  Packet hold(const Packet& packet) noexcept { return packet; }
  void release(const Packet& packet) {
    if (__builtin_expect(packet.ahead != nullptr, 0)) free_joined_.emplace_back(packet.ahead);
    receives_.release(packet.buffer);
  }
  // The message of a packet, with its fragments if it has some.
  AmArrival message(const Packet& packet, Kind kind);

 protected:
  void open(const Topology& topology, const Doorbells& doorbells, MPI_Comm comm, unsigned credit_limit,
            PacketCheck* check);
  void close();

  std::vector<Peer>& peers() noexcept { return peers_; }
  const Topology& topology() const noexcept { return *topology_; }
  bool has_send_buffer() const noexcept { return sends_.available() != 0; }
  bool checks_sums() const noexcept { return sums_ != nullptr; }
  // The next packet's memory, and sending it. Not without room.
  char* next_packet() noexcept { return sends_.front(); }
  void send(Peer& peer, std::size_t bytes);
  // The oldest packet that has arrived; a malformed one ends the job. False: there is none.
  bool receive(Packet* packet);
  bool test_receive() { return receives_.test(); }
  // Copies a fragment to where its message will be.
  void keep_fragment(const Packet& packet, Kind kind);
  bool all_sent() const noexcept { return sends_.all_sent_out(); }
  void reap_sends() { sends_.reap(); }

 private:
  static unsigned credits_of(const Peer& peer, unsigned packets) noexcept {
    return std::min(packets, peer.flow.limit() / 2);
  }
  void take_fragments(Packet* packet);

  const Topology* topology_ = nullptr;
  const Doorbells* doorbells_ = nullptr;
  PacketCheck* sums_ = nullptr;  // null: packets carry no checksums
  SendPool sends_;
  ReceiveRing receives_;
  std::vector<Peer> peers_;               // of each rank
  std::vector<Outstanding> outstanding_;  // of all peers
  // Memory for messages of several packets that is not used now.
  std::vector<std::unique_ptr<char[]>> free_joined_;

 public:
  static constexpr std::size_t kBytesPerPeer =
      sizeof(Peer) + kMaxDefaultCredits *
                         (sizeof(Outstanding) + sizeof(Packet) + sizeof(MPI_Request) + sizeof(std::uint32_t));
};

}  // namespace upcr::mpi

// SPDX-License-Identifier: BSD-3-Clause
// Moves packets between this process and its peers: what the credited channel asks of a Wire
// (core/transport/credited/channel.hpp) but for the packets of remote access, which a class derived from this
// one adds (endpoint/message_path.hpp).
//
// A message that does not fit in one packet is sent as two; the first fragment stays in its receive buffer
// until the rest is here. There is a receive buffer for whatever may be held or kept so, and kSpareReceives
// more for everything else.
//
// Threads: under the conduit's lock.
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
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
// Receive buffers beyond those that held requests and first fragments may occupy.
inline constexpr unsigned kSpareReceives = 64;

struct Peer;

// A packet that has arrived, in its receive buffer.
struct Packet {
  Peer* peer;  // its sender
  std::uint32_t buffer;
  std::size_t bytes;
  char* data;  // aligned to a cache line
};

struct Peer : CreditedPeer {
  PeerFlowControl flow;
  RendezvousTable transfers;
  Packet request_fragment{}, reply_fragment{};           // first fragments of messages; data null: none
  std::uint32_t packets_sent = 0, packets_received = 0;  // modulo 2^32, for drain()
};

class PacketWire {
 public:
  using Kind = mpi::Kind;
  using Peer = mpi::Peer;
  using Packet = mpi::Packet;

  static bool needs_credit(Kind kind) noexcept { return mpi::needs_credit(kind); }
  static unsigned packets_of(const AmPacket& p) noexcept {
    return first_fragment_bytes(p.head.nargs, p.head.length) == 0 ? 1 : kAmPackets;
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
  void release(const Packet& packet) { receives_.release(packet.buffer); }
  // The message of a packet, with its first fragment if it has one.
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
  // Keeps a first fragment until its message is here.
  void keep_fragment(const Packet& packet, Kind kind);
  bool all_sent() const noexcept { return sends_.all_sent_out(); }
  void reap_sends() { sends_.reap(); }

 private:
  void* join_fragments(const Packet& packet, const AmArrival& arrival, Packet& first);

  const Topology* topology_ = nullptr;
  const Doorbells* doorbells_ = nullptr;
  PacketCheck* sums_ = nullptr;  // null: packets carry no checksums
  SendPool sends_;
  ReceiveRing receives_;
  std::vector<Peer> peers_;               // of each rank
  std::vector<Outstanding> outstanding_;  // of all peers
  alignas(64) char joined_[kMaxMedium];   // the payload of a message that came in two packets

 public:
  static constexpr std::size_t kBytesPerPeer =
      sizeof(Peer) + kMaxDefaultCredits *
                         (sizeof(Outstanding) + sizeof(Packet) + sizeof(MPI_Request) + sizeof(std::uint32_t));
};

}  // namespace upcr::mpi

// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/messages/packet_wire.hpp"

#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr::mpi {
namespace {

LogComponent log_mpi("mpi");

}  // namespace

void PacketWire::open(const Topology& topology, const Doorbells& doorbells, MPI_Comm comm,
                      unsigned credit_limit, PacketCheck* check) {
  topology_ = &topology;
  doorbells_ = &doorbells;
  const std::size_t n = topology.size;
  peers_.resize(n);
  outstanding_.resize(n * credit_limit);
  for (std::size_t r = 0; r < n; ++r) {
    peers_[r].rank = static_cast<Rank>(r);
    peers_[r].flow.open(&outstanding_[r * credit_limit], credit_limit);
  }
  if (check != nullptr && check->sums()) sums_ = check;
  sends_.open(comm, kSendBuffers, check);
  // Of each peer may wait: requests, one of which has been acknowledged already while it is processed, and
  // the first fragment of a reply.
  const std::size_t receives = (n - 1) * (credit_limit + 1) + kSpareReceives;
  receives_.open(comm, static_cast<unsigned>(receives), sums_ != nullptr ? sums_->extra_bytes() : 0);
  UPCR_LOG(log_mpi, kInfo, "%u packets of %zu bytes to each process, %zu receives", credit_limit,
           kPacketBytes, receives);
}

void PacketWire::close() {
  receives_.close();
  sends_.close();
}

void PacketWire::send(Peer& peer, std::size_t bytes) {
  sends_.send(peer.rank, bytes);
  ++peer.packets_sent;
  doorbells_->ring_neighbour(*topology_, peer.rank);
}

void PacketWire::send_header(Peer& peer, Kind kind, std::uint32_t value) {
  const Header header = make_header(peer.flow, kind, value);
  std::memcpy(next_packet(), &header, sizeof header);
  send(peer, sizeof header);
}

void PacketWire::send_message(Peer& peer, Kind kind, const AmPacket& p) {
  const std::size_t ahead = first_fragment_bytes(p.head.nargs, p.head.length);
  if (ahead != 0) {
    const Kind first = kind == Kind::kRequest ? Kind::kRequestFirstFragment : Kind::kReplyFirstFragment;
    const Header header = make_header(peer.flow, first, 0);
    char* at = next_packet();
    std::memcpy(at, &header, sizeof header);
    copy_payload(at + sizeof header, p, 0, ahead);
    send(peer, sizeof header + ahead);
  }
  const Header header = make_header(peer.flow, kind, 0);
  char* at = next_packet();
  std::memcpy(at, &header, sizeof header);
  send(peer, sizeof header + pack_message(at + sizeof header, p, ahead));
}

bool PacketWire::receive(Packet* packet) {
  Arrived a;
  if (!receives_.receive(&a)) return false;
  if (__builtin_expect(sums_ != nullptr, 0))
    a.bytes = sums_->open(a.source, a.data, a.bytes, "mpi", claim_of);
  if (a.source >= peers_.size() || !well_formed(a.data, a.bytes))
    fatal("a malformed packet of %zu bytes arrived from rank %u of %zu; are all processes the same upcr?",
          a.bytes, a.source, peers_.size());
  Peer& peer = peers_[a.source];
  ++peer.packets_received;
  *packet = {&peer, a.buffer, a.bytes, a.data};
  return true;
}

void PacketWire::keep_fragment(const Packet& packet, Kind kind) {
  Peer& peer = *packet.peer;
  Packet& first = kind == Kind::kRequestFirstFragment ? peer.request_fragment : peer.reply_fragment;
  if (first.data != nullptr)
    fatal("two first fragments of messages arrived from rank %u; are all processes the same upcr?",
          peer.rank);
  first = packet;
}

void* PacketWire::join_fragments(const Packet& packet, const AmArrival& arrival, Packet& first) {
  const AmHeader& am = arrival.head;
  const std::size_t ahead = first_fragment_bytes(am.nargs, am.length);
  if ((ahead != 0) != (first.data != nullptr))
    fatal(
        "a message of %u bytes from rank %u does not fit the fragment before it; are all processes the "
        "same upcr?",
        am.length, packet.peer->rank);
  if (ahead == 0) return arrival.payload;
  std::memcpy(joined_, first.data + sizeof(Header), ahead);
  std::memcpy(joined_ + ahead, arrival.payload, am.length - ahead);
  first.data = nullptr;
  receives_.release(first.buffer);
  return joined_;
}

// The fragment of a request has used a credit of its own, which is given back with the message's.
AmArrival PacketWire::message(const Packet& packet, Kind kind) {
  Peer& peer = *packet.peer;
  Packet& first = kind == Kind::kRequest ? peer.request_fragment : peer.reply_fragment;
  if (kind == Kind::kRequest && first.data != nullptr) peer.flow.request_processed(false);
  AmArrival arrival = unpack_message(peer.rank, packet.data + sizeof(Header));
  arrival.payload = join_fragments(packet, arrival, first);
  return arrival;
}

}  // namespace upcr::mpi

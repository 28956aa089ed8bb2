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
  // Of each peer may wait: requests, one of which has been acknowledged already while it is processed.
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
  const std::size_t ahead = bytes_ahead(p.head.nargs, p.head.length);
  const Kind fragment = kind == Kind::kRequest ? Kind::kRequestFragment : Kind::kReplyFragment;
  for (std::size_t sent = 0; sent < ahead; sent += kFragmentBytes) {
    const Header header = make_header(peer.flow, fragment, 0);
    char* at = next_packet();
    std::memcpy(at, &header, sizeof header);
    copy_payload(at + sizeof header, p, sent, kFragmentBytes);
    send(peer, sizeof header + kFragmentBytes);
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
  *packet = {&peer, a.buffer, static_cast<std::uint32_t>(a.bytes), a.data};
  take_fragments(packet);
  return true;
}

void PacketWire::keep_fragment(const Packet& packet, Kind kind) {
  Peer& peer = *packet.peer;
  Fragments& f = kind == Kind::kRequestFragment ? peer.request_fragments : peer.reply_fragments;
  if (f.data == nullptr) {
    if (free_joined_.empty()) free_joined_.push_back(std::make_unique_for_overwrite<char[]>(kMaxMedium));
    f.data = free_joined_.back().release();
    free_joined_.pop_back();
  }
  if (f.bytes + kFragmentBytes > kMaxMedium)
    fatal(
        "the fragments of a message from rank %u have more than %zu bytes; are all processes the same upcr?",
        peer.rank, kMaxMedium);
  std::memcpy(f.data + f.bytes, packet.data + sizeof(Header), kFragmentBytes);
  f.bytes += kFragmentBytes;
}

// At its arrival, since a request may be held while the next one's fragments arrive.
void PacketWire::take_fragments(Packet* packet) {
  const Kind kind = read_as<Header>(packet->data).kind;
  const bool request = kind == Kind::kRequest;
  if (!request && kind != Kind::kReply && kind != Kind::kUnsolicitedReply) return;
  Peer& peer = *packet->peer;
  Fragments& f = request ? peer.request_fragments : peer.reply_fragments;
  const auto am = read_as<AmHeader>(packet->data + sizeof(Header));
  if (bytes_ahead(am.nargs, am.length) != f.bytes)
    fatal(
        "a message of %u bytes from rank %u does not fit the fragments before it; are all processes the same "
        "upcr?",
        am.length, peer.rank);
  packet->ahead = f.data;
  f = {};
}

// The credits of its fragments are given back with the message's.
AmArrival PacketWire::message(const Packet& packet, Kind kind) {
  Peer& peer = *packet.peer;
  AmArrival arrival = unpack_message(peer.rank, packet.data + sizeof(Header));
  if (__builtin_expect(packet.ahead == nullptr, 1)) return arrival;
  const AmHeader& am = arrival.head;
  const unsigned fragments = fragments_of(am.nargs, am.length);
  const std::size_t ahead = fragments * kFragmentBytes;
  std::memcpy(packet.ahead + ahead, arrival.payload, am.length - ahead);
  arrival.payload = packet.ahead;
  if (kind == Kind::kRequest)
    for (unsigned i = 1; i < credits_of(peer, 1 + fragments); ++i) peer.flow.request_processed(false);
  return arrival;
}

}  // namespace upcr::mpi

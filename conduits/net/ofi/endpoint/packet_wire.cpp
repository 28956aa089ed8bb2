// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/endpoint/packet_wire.hpp"

#include <cstring>

#include "conduits/core/base/report/error.hpp"

namespace upcr::ofi {

void PacketWire::open(const Setup& setup) {
  topology_ = &setup.topology;
  doorbells_ = &setup.doorbells;
  peers_.resize(setup.topology.size);
  for (Rank r = 0; r < setup.topology.size; ++r) {
    peers_[r].rank = r;
    peers_[r].flow.open(setup.credits);
  }
  channel_.open(setup.topology.size);
  sends_.open(setup.network, setup.bootstrap, setup.sends);
  receives_.open(setup.network, setup.receives);
}

void PacketWire::close() {
  sends_.close();
  receives_.close();
}

// -- sending

void PacketWire::send_message(Peer& peer, Kind kind, const AmPacket& p) {
  const std::uint32_t buffer = sends_.acquire();
  char* packet = sends_.packet(buffer);
  const Header header = make_header(peer.flow, kind, topology_->rank);
  std::memcpy(packet, &header, sizeof header);
  send_packet(peer, buffer, sizeof header + pack_message(packet + sizeof header, p));
}

void PacketWire::send_header(Peer& peer, Kind kind, std::uint32_t) {
  const std::uint32_t buffer = sends_.acquire();
  const Header header = make_header(peer.flow, kind, topology_->rank);
  std::memcpy(sends_.packet(buffer), &header, sizeof header);
  send_packet(peer, buffer, sizeof header);
}

// There is room behind the packet for its checksum.
void PacketWire::send_packet(Peer& peer, std::uint32_t buffer, std::size_t bytes) {
  if (__builtin_expect(check_ != nullptr, 0)) bytes = check_->seal(sends_.packet(buffer), bytes);
  sends_.send(peer, buffer, bytes);
  doorbells_->ring_neighbour(*topology_, peer.rank);
}

void PacketWire::send_leftovers() {
  if (receives_.has_unposted()) receives_.post();
  if (sends_.has_deferred()) sends_.retry();
  while (!to_answer_.empty() && has_room_for_header()) {
    const Answer answer = to_answer_.back();
    to_answer_.pop_back();
    send_header(*answer.peer, answer.kind);
  }
}

// -- receiving

void PacketWire::received(std::uint32_t buffer, std::size_t bytes, std::unique_lock<SpinLock>& guard) {
  char* packet = receives_.packet(buffer);
  if (__builtin_expect(sums_ != nullptr, 0)) {
    // The packet alone identifies its sender.
    const Rank claimed = bytes >= sizeof(Header) ? read_as<Header>(packet).value : ~Rank{0};
    bytes = sums_->open(claimed, packet, bytes, "ofi", claim_of);
  }
  const bool valid = well_formed(packet, bytes);
  const Rank source = valid ? read_as<Header>(packet).value : ~Rank{0};
  if (source >= peers_.size())
    fatal("a malformed packet of %zu bytes arrived; are all processes the same upcr?", bytes);
  channel_.arrived({&peers_[source], packet, buffer, false}, guard);
}

PacketWire::Packet PacketWire::hold(const Packet& packet) {
  if (free_copies_.empty()) {
    free_copies_.push_back(static_cast<std::uint32_t>(copies_.size()));
    copies_.push_back(std::make_unique_for_overwrite<Copy>());
  }
  const std::uint32_t copy = free_copies_.back();
  free_copies_.pop_back();
  std::memcpy(copies_[copy]->bytes, packet.data, kPacketBytes);
  receives_.release(packet.buffer);
  return {packet.peer, copies_[copy]->bytes, copy, true};
}

void PacketWire::release(const Packet& packet) {
  if (packet.is_copy)
    free_copies_.push_back(packet.buffer);
  else
    receives_.release(packet.buffer);
}

bool PacketWire::process(const Packet& packet, const Header& header) {
  switch (header.kind) {
    case Kind::kFlush:
      to_answer_.push_back({packet.peer, Kind::kFlushed});
      break;
    case Kind::kFlushed:
      packet.peer->awaited = false;
      ++flushed_;
      break;
    case Kind::kPing:
      to_answer_.push_back({packet.peer, Kind::kCreditUpdate});
      break;
    default:
      ++packet.peer->barriers;
  }
  return true;
}

}  // namespace upcr::ofi

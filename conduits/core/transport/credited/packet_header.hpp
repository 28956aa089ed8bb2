// SPDX-License-Identifier: BSD-3-Clause
// The header of every packet of a credited channel (channel.hpp), whether a packet is one, and what a
// corrupted packet claims to be.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/checksum/packet_check.hpp"
#include "conduits/core/transport/credited/credits.hpp"
#include "conduits/core/transport/credited/packed_message.hpp"

namespace upcr {

// Kind: the conduit's enumeration of its packets, of one byte (channel.hpp).
template <typename Kind>
struct PacketHeader {
  Kind kind;
  std::uint8_t unsolicited;  // unsolicited replies of the receiver that the sender has processed, modulo 256
  std::uint16_t processed;   // requests of the receiver that the sender has processed, modulo 65536
  std::uint32_t value;       // the conduit's
};

// The header of a packet that leaves now: it acknowledges what has been processed.
template <typename Kind>
PacketHeader<Kind> make_header(Credits& flow, Kind kind, std::uint32_t value) noexcept {
  const PacketHeader<Kind> header{kind, flow.unsolicited(), flow.processed(), value};
  static_assert(sizeof header == 8);
  flow.acks_sent();
  return header;
}

// A packet of a kind that carries an active message, with a checksum that is wrong.
template <typename Kind>
PacketClaim claim_of_message(const char* packet, std::size_t bytes) noexcept {
  if (bytes < sizeof(PacketHeader<Kind>) + sizeof(AmHeader)) return {};
  return {"a message", true, read_as<AmHeader>(packet + sizeof(PacketHeader<Kind>))};
}

// What packets of one kind are, of a conduit whose packets are messages and headers alone. The conduit has a
// function format_of(Kind) beside its enumeration.
struct PacketFormat {
  const char* name = nullptr;  // for error messages; null: there is no such kind
  bool has_message = false;    // an active message follows the header
};

// Could a process of this job have sent this packet: is its kind known, and its length what its fields say?
// To be called before anything in it is used.
template <typename Kind>
bool is_packet(const void* packet, std::size_t bytes, std::size_t max_medium) noexcept {
  using Header = PacketHeader<Kind>;
  if (bytes < sizeof(Header)) return false;
  const PacketFormat format = format_of(read_as<Header>(packet).kind);
  if (format.has_message)
    return is_packed_message(static_cast<const char*>(packet) + sizeof(Header), bytes - sizeof(Header),
                             max_medium);
  return format.name != nullptr && bytes == sizeof(Header);
}

// The kind and header that a packet with a wrong checksum claims to have.
template <typename Kind>
PacketClaim claim_of_packet(const char* packet, std::size_t bytes) noexcept {
  if (bytes < sizeof(PacketHeader<Kind>)) return {};
  const PacketFormat format = format_of(read_as<PacketHeader<Kind>>(packet).kind);
  if (format.has_message) return claim_of_message<Kind>(packet, bytes);
  return format.name != nullptr ? PacketClaim{format.name} : PacketClaim{};
}

}  // namespace upcr

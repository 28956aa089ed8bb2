// SPDX-License-Identifier: BSD-3-Clause
// The header of every packet of a credited channel (channel.hpp), and what a corrupted packet claims to be.
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

}  // namespace upcr

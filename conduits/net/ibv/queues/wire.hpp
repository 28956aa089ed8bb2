// SPDX-License-Identifier: BSD-3-Clause
// The packets of the ibv conduit. A packet is one send, into one receive buffer of kPacketBytes. Puts, gets
// and atomics are RDMA operations, not packets. No verbs here.
//
// clang-format off
//   kRequest, kReply,     header, message (core/transport/credited/packed_message.hpp)
//   kUnsolicitedReply
//   kCreditUpdate         header
//   kHello                header: the active side's first packet, after which the passive side may send
//   kClose                header: two of them end a connection (conduit.cpp)
// clang-format on
// The value in the header is the sender's rank: a shared receive queue does not identify the sender.
//
// With checksums, the CRC-32C of the packet follows it (core/checksum/packet_check.hpp), and messages are
// shorter by as much.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/checksum/packet_check.hpp"
#include "conduits/core/transport/credited/packed_message.hpp"

namespace upcr::ibv {

// A message of 4 KiB and its arguments fit; a number of cache lines that is not a power of two spreads the
// buffers over the cache.
inline constexpr std::size_t kPacketBytes = 4096 + 128;
static_assert(kPacketBytes % 64 == 0);

enum class PacketKind : std::uint8_t {
  kRequest = 1,  // needs a credit
  kReply,
  kUnsolicitedReply,  // sent outside a handler, so no request's credit stands for it
  kTell,
  kHello,
  kClose,
};

struct Head {
  PacketKind kind;
  std::uint8_t extras;   // extra replies of the receiver's that the sender has taken, modulo 256
  std::uint16_t served;  // requests of the receiver's that the sender has served, modulo 65536
  Rank source;           // a shared receive queue does not tell
};
static_assert(sizeof(Head) == 8);

inline constexpr std::size_t kMaxMedium = kPacketBytes - sizeof(Head) - packed_payload_offset(kMaxAmArgs);
static_assert(kMaxMedium % 8 == 0 && kMaxMedium >= 4096 + sizeof(LongPrefix));
inline constexpr std::size_t kMaxMediumWithSum = kMaxMedium - (kPacketSumBytes + 7) / 8 * 8;
static_assert(kMaxMediumWithSum >= 4096 + sizeof(LongPrefix));

// Could a process of this job have sent this packet: is its kind known, and its length what its fields say?
// To be called before anything in it is used.
inline bool well_formed(const void* packet, std::size_t bytes) noexcept {
  if (bytes < sizeof(Head)) return false;
  switch (read_as<Head>(packet).kind) {
    case PacketKind::kRequest:
    case PacketKind::kReply:
    case PacketKind::kUnsolicitedReply:
      return is_packed_message(static_cast<const char*>(packet) + sizeof(Head), bytes - sizeof(Head),
                               kMaxMedium);
    case PacketKind::kTell:
    case PacketKind::kHello:
    case PacketKind::kClose:
      return bytes == sizeof(Head);
  }
  return false;
}

// What a packet claims to be whose checksum is wrong.
inline PacketClaim claim_of(const char* packet, std::size_t bytes) noexcept {
  if (bytes < sizeof(Head)) return {};
  switch (read_as<Head>(packet).kind) {
    case PacketKind::kRequest:
    case PacketKind::kReply:
    case PacketKind::kUnsolicitedReply:
      if (bytes < sizeof(Head) + sizeof(AmHeader)) return {};
      return {"a message", true, read_as<AmHeader>(packet + sizeof(Head))};
    case PacketKind::kTell:
      return {"a credit update"};
    case PacketKind::kHello:
      return {"the first packet of a connection"};
    case PacketKind::kClose:
      return {"the end of a connection"};
  }
  return {};
}

}  // namespace upcr::ibv

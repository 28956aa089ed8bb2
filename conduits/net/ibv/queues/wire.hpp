// SPDX-License-Identifier: BSD-3-Clause
// The packets of the ibv conduit. A packet is one send, into one receive buffer of kPacketBytes. Puts, gets
// and atomics are RDMA operations, not packets. No verbs here.
//
// clang-format off
//   kRequest, kReply,     header, message (core/transport/credited/packed_message.hpp)
//   kUnsolicitedReply
//   kCreditUpdate         header
//   kShare                header, Share: how many credits the sender has buffers for (window.hpp)
//   kShareConfirmed       header
//   kEvict                header: the sender has been quiet, and wants to close the connection (eviction.hpp);
//                         the answer is one of
//   kEvictAgreed,         header: the last packet of its sender; or not now
//   kEvictRefused
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

#include "conduits/core/transport/credited/packet_header.hpp"

namespace upcr::ibv {

// A message of 4 KiB and its arguments fit; a number of cache lines that is not a power of two spreads the
// buffers over the cache.
inline constexpr std::size_t kPacketBytes = 4096 + 128;
static_assert(kPacketBytes % 64 == 0);

enum class PacketKind : std::uint8_t {
  kRequest = 1,  // needs a credit
  kReply,
  kUnsolicitedReply,
  kCreditUpdate,
  kHello,
  kClose,
  kShare,
  kShareConfirmed,
  kEvict,
  kEvictAgreed,
  kEvictRefused,
};

struct Share {
  std::uint32_t credits;
  std::uint32_t asks;  // 1: the sender's window is full, and it asks for as large a share at the receiver
};

using Header = PacketHeader<PacketKind>;

inline constexpr std::size_t kMaxMedium = kPacketBytes - sizeof(Header) - packed_payload_offset(kMaxAmArgs);
static_assert(kMaxMedium % 8 == 0 && kMaxMedium >= 4096 + sizeof(LongPrefix));
inline constexpr std::size_t kMaxMediumWithSum = kMaxMedium - (kPacketSumBytes + 7) / 8 * 8;
static_assert(kMaxMediumWithSum >= 4096 + sizeof(LongPrefix));

constexpr PacketFormat format_of(PacketKind kind) noexcept {
  switch (kind) {
    case PacketKind::kRequest:
    case PacketKind::kReply:
    case PacketKind::kUnsolicitedReply:
      return {"a message", true};
    case PacketKind::kCreditUpdate:
      return {"a credit update"};
    case PacketKind::kHello:
      return {"the first packet of a connection"};
    case PacketKind::kClose:
      return {"the end of a connection"};
    case PacketKind::kShare:
      return {"a share of receive buffers"};
    case PacketKind::kShareConfirmed:
      return {"the confirmation of a share"};
    case PacketKind::kEvict:
      return {"a proposal to close a quiet connection"};
    case PacketKind::kEvictAgreed:
    case PacketKind::kEvictRefused:
      return {"the answer to a proposal to close a quiet connection"};
  }
  return {};
}

inline bool well_formed(const void* packet, std::size_t bytes) noexcept {
  if (bytes == sizeof(Header) + sizeof(Share) && read_as<Header>(packet).kind == PacketKind::kShare)
    bytes = sizeof(Header);
  else if (bytes == sizeof(Header) && read_as<Header>(packet).kind == PacketKind::kShare)
    return false;
  return is_packet<PacketKind>(packet, bytes, kMaxMedium);
}
inline PacketClaim claim_of(const char* packet, std::size_t bytes) noexcept {
  return claim_of_packet<PacketKind>(packet, bytes);
}

}  // namespace upcr::ibv

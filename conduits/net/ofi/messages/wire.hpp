// SPDX-License-Identifier: BSD-3-Clause
// The packets of the ofi conduit. A packet is one untagged send, into one receive buffer of kPacketBytes. No
// libfabric here.
//
// clang-format off
//   kRequest, kReply,     header, message (core/transport/credited/packed_message.hpp)
//   kUnsolicitedReply
//   kCreditUpdate         header
//   kFlush                header: the receiver answers by kFlushed; everything before it has arrived then
//   kFlushed              header
//   kBarrier              header: of the barrier of detach() (endpoint/closing.hpp)
//   kPing                 header: the receiver answers by a credit update (endpoint/peer_watch.hpp)
// clang-format on
// The value in the header is the sender's rank: an endpoint receives from all peers.
//
// With checksums, the CRC-32C of the packet follows it (core/checksum/packet_check.hpp), and messages are
// shorter by as much.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/transport/credited/packet_header.hpp"

namespace upcr::ofi {

// Over TCP a packet costs system calls, so it carries more than one of ibv's. A number of cache lines that is
// not a power of two spreads the buffers over the cache.
inline constexpr std::size_t kPacketBytes = 8192 + 128;
static_assert(kPacketBytes % 64 == 0);

enum class PacketKind : std::uint8_t {
  kRequest = 1,  // needs a credit
  kReply,
  kUnsolicitedReply,
  kCreditUpdate,
  kFlush,
  kFlushed,
  kBarrier,
  kPing,
};

using Header = PacketHeader<PacketKind>;

inline constexpr std::size_t kMaxMedium = kPacketBytes - sizeof(Header) - packed_payload_offset(kMaxAmArgs);
static_assert(kMaxMedium % 8 == 0 && kMaxMedium >= 8000 + sizeof(LongPrefix));
inline constexpr std::size_t kMaxMediumWithSum = kMaxMedium - (kPacketSumBytes + 7) / 8 * 8;

constexpr PacketFormat format_of(PacketKind kind) noexcept {
  switch (kind) {
    case PacketKind::kRequest:
    case PacketKind::kReply:
    case PacketKind::kUnsolicitedReply:
      return {"a message", true};
    case PacketKind::kCreditUpdate:
      return {"a credit update"};
    case PacketKind::kFlush:
    case PacketKind::kFlushed:
    case PacketKind::kBarrier:
      return {"the end of the job's messages"};
    case PacketKind::kPing:
      return {"a question whether this process is there"};
  }
  return {};
}

inline bool well_formed(const void* packet, std::size_t bytes) noexcept {
  return is_packet<PacketKind>(packet, bytes, kMaxMedium);
}
inline PacketClaim claim_of(const char* packet, std::size_t bytes) noexcept {
  return claim_of_packet<PacketKind>(packet, bytes);
}

}  // namespace upcr::ofi

// SPDX-License-Identifier: BSD-3-Clause
// What the mpi conduit's packets look like. A packet is one MPI message on the packets' communicator, at most
// kPacketBytes long; the data of large transfers travels apart (transfers.hpp). No MPI here.
//
// clang-format off
//   kRequest, kReply,     head, the message (core/transport/packed_message.hpp)
//   kUnsolicitedReply
//   kRequestPart,         head, the first kPartBytes bytes of the payload of the kRequest that follows, or of
//   kReplyPart            the reply; where one packet has no room for it
//   kPut                  head (value: bytes), address, data            answered by the count in any head
//   kPutPart              as kPut: a piece of a put whose last piece is a kPut
//   kGet                  head (value: bytes), address                  -> kGetReply
//   kGetReply             head (value: number of the request), data
//   kBigPut, kBigGet      head (value: slot), address, bytes; data apart
//   kBigDone              head (value: slot of the kBigPut)
//   kTell                 head: there was nothing else to carry the counts
// clang-format on
// With checksums the CRC-32C of the packet is behind it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "conduits/core/am/packet_check.hpp"
#include "conduits/core/transport/packed_message.hpp"

namespace upcr::mpi {

// MPI libraries send a message of up to about 4 KiB at once and let the receiver fetch a longer one, which
// would hold up whatever arrives behind it (receives complete in the order they were posted). 128 bytes are
// left for MPI's own header; a number of cache lines that is no power of two spreads buffers over the cache.
inline constexpr std::size_t kPacketBytes = 4096 - 128;
static_assert(kPacketBytes % 64 == 0);

// Buffers of packets are arrays of these: with checksums a packet has some bytes more
// (core/packet_check.hpp).
struct alignas(64) Line {
  char bytes[64];
};
constexpr std::size_t packet_lines(std::size_t extra) noexcept {
  return (kPacketBytes + extra + sizeof(Line) - 1) / sizeof(Line);
}

enum class Kind : std::uint8_t {
  kRequest = 1,
  kRequestPart,
  kPut,
  kPutPart,
  kGet,
  kBigPut,
  kBigGet,  // up to here: they need a credit, and wait their turn
  kReply,
  kReplyPart,
  kUnsolicitedReply,  // sent outside a handler, so no request's credit stands for it
  kGetReply,
  kBigDone,
  kTell,
};
constexpr bool needs_credit(Kind kind) noexcept { return kind <= Kind::kBigGet; }

struct Head {
  Kind kind;
  std::uint8_t extras;   // extra replies of the receiver's that the sender has taken, modulo 256
  std::uint16_t served;  // requests of the receiver's that the sender has served, modulo 65536
  std::uint32_t value;
};
static_assert(sizeof(Head) == 8);

struct AccessHead {
  Head head;
  std::uint64_t address;  // in the receiver
};
// With the slot, in the value of a kBigPut or kBigGet: the data comes in pieces of kShortPiece bytes.
inline constexpr std::uint32_t kInShortPieces = 1u << 8;

struct BigHead {
  AccessHead access;
  std::uint64_t bytes;
};
static_assert(sizeof(AccessHead) == 16 && sizeof(BigHead) == 24);

inline constexpr std::size_t kMaxPut = kPacketBytes - sizeof(AccessHead);
inline constexpr std::size_t kMaxGet = kPacketBytes - sizeof(Head);
inline constexpr std::size_t kPartBytes = 3840;
inline constexpr unsigned kAmPackets = 2;  // of one message, at most

// Where the payload of a message with so many arguments starts in its packet.
constexpr std::size_t payload_offset(unsigned nargs) noexcept {
  return sizeof(Head) + packed_payload_offset(nargs);
}
inline constexpr std::size_t kMaxMedium = kPartBytes + kPacketBytes - payload_offset(kMaxAmArgs);
static_assert(kMaxMedium % 8 == 0 && kMaxMedium >= 4096 && kPartBytes + sizeof(Head) <= kPacketBytes);
static_assert(kPacketBytes - payload_offset(kMaxAmArgs) >= kPartBytes);  // what has no room in one has a part

// How much of a message's payload goes ahead in a part of its own: nothing, or kPartBytes.
constexpr std::size_t part_bytes(unsigned nargs, std::size_t length) noexcept {
  return payload_offset(nargs) + length <= kPacketBytes ? 0 : kPartBytes;
}

// Is this a packet that a process of this job could have sent: known kind, and the length that its fields ask
// for? Checked before anything in it is used.
inline bool well_formed(const void* packet, std::size_t bytes) noexcept {
  if (bytes < sizeof(Head)) return false;
  const auto head = read_as<Head>(packet);
  switch (head.kind) {
    case Kind::kRequest:
    case Kind::kReply:
    case Kind::kUnsolicitedReply:
      return is_packed_message(static_cast<const char*>(packet) + sizeof head, bytes - sizeof head,
                               kMaxMedium,
                               [](const AmHeader& am) { return part_bytes(am.nargs, am.length); });
    case Kind::kRequestPart:
    case Kind::kReplyPart:
      return bytes == sizeof head + kPartBytes;
    case Kind::kPut:
    case Kind::kPutPart:
      return bytes > sizeof(AccessHead) && bytes == sizeof(AccessHead) + head.value;
    case Kind::kGet:
      return bytes == sizeof(AccessHead) && head.value != 0 && head.value <= kMaxGet;
    case Kind::kGetReply:
      return bytes > sizeof head;
    case Kind::kBigPut:
    case Kind::kBigGet:
      return bytes == sizeof(BigHead);
    case Kind::kBigDone:
    case Kind::kTell:
      return bytes == sizeof head;
  }
  return false;
}

// What a packet whose checksum is wrong says it is.
inline PacketClaim claim_of(const char* packet, std::size_t bytes) noexcept {
  if (bytes < sizeof(Head)) return {};
  switch (read_as<Head>(packet).kind) {
    case Kind::kRequest:
    case Kind::kReply:
    case Kind::kUnsolicitedReply:
      if (bytes < sizeof(Head) + sizeof(AmHeader)) return {};
      return {"a message", true, read_as<AmHeader>(packet + sizeof(Head))};
    case Kind::kRequestPart:
      return {"the first part of a request"};
    case Kind::kReplyPart:
      return {"the first part of a reply"};
    case Kind::kPut:
    case Kind::kPutPart:
      return {"a put"};
    case Kind::kGet:
      return {"a get"};
    case Kind::kGetReply:
      return {"the answer to a get"};
    case Kind::kBigPut:
    case Kind::kBigGet:
    case Kind::kBigDone:
      return {"a word about a large transfer"};
    case Kind::kTell:
      return {"a credit update"};
  }
  return {};
}

}  // namespace upcr::mpi

// SPDX-License-Identifier: BSD-3-Clause
// The packets of the mpi conduit. A packet is one MPI message of at most kPacketBytes on a communicator of
// their own; the data of a large transfer is sent on another one (transfers.hpp). No MPI here.
//
// clang-format off
//   kRequest, kReply,         header, message (core/transport/credited/packed_message.hpp)
//   kUnsolicitedReply
//   kRequestFragment,         header, kFragmentBytes bytes of the payload of the request, or reply, that follows
//   kReplyFragment            behind all of its fragments: of a message that does not fit in one packet
//   kPut                      header (value: bytes), address, data        acknowledged by any header
//   kPutFragment              as kPut: a fragment of a put whose last one is a kPut
//   kGet                      header (value: bytes), address              answered by a kGetReply
//   kGetReply                 header (value: number of the request), data
//   kRendezvousPut,           header (value: index, kInShortPieces), address, bytes
//   kRendezvousGet
//   kBulkRequest              header (value: index), message whose payload the data completes
//   kFin                      header (value: index of the kRendezvousPut): its data has arrived
//   kCreditUpdate             header
// clang-format on
// With checksums, the CRC-32C of the packet follows it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "conduits/core/transport/credited/packet_header.hpp"

namespace upcr::mpi {

// A message that the MPI library sends eagerly has left when its sender goes on to compute. A longer one is
// fetched by the receiver, and holds up whatever arrives behind it, because receives complete in the order in
// which they were posted. Open MPI sends up to 4 KiB eagerly in shared memory, MPICH 16 KiB and more
// (UPCR_MPI_EAGER_KIB, by the library that this is compiled for). 128 bytes are left for MPI's own header; a
// number of cache lines that is not a power of two spreads the buffers over the cache.
#ifdef UPCR_MPI_EAGER_KIB
inline constexpr std::size_t kPacketBytes = UPCR_MPI_EAGER_KIB * 1024 - 128;
#else
inline constexpr std::size_t kPacketBytes = 4096 - 128;
#endif
static_assert(kPacketBytes % 64 == 0);
// Puts and gets are packets up to this size, whatever fits: beyond it other ways are as fast.
inline constexpr std::size_t kAccessPacketBytes = 4096 - 128;
static_assert(kAccessPacketBytes <= kPacketBytes);

// Buffers of packets are arrays of lines: with checksums a packet has `extra` bytes more
// (core/checksum/packet_check.hpp).
struct alignas(64) Line {
  char bytes[64];
};
constexpr std::size_t packet_lines(std::size_t extra) noexcept {
  return (kPacketBytes + extra + sizeof(Line) - 1) / sizeof(Line);
}

enum class Kind : std::uint8_t {
  kRequest = 1,
  kPut,
  kPutFragment,
  kGet,
  kRendezvousPut,
  kRendezvousGet,
  kBulkRequest,  // the kinds up to here are requests: they need a credit
  kReply,
  kUnsolicitedReply,
  kRequestFragment,  // its message needs the credits
  kReplyFragment,
  kGetReply,
  kFin,
  kCreditUpdate,
};
constexpr bool needs_credit(Kind kind) noexcept { return kind <= Kind::kBulkRequest; }

using Header = PacketHeader<Kind>;

struct AccessHeader {
  Header header;
  std::uint64_t address;  // in the receiver
};
// A flag beside the index in the value of a kRendezvousPut or kRendezvousGet: the data is sent in pieces of
// kShortPiece bytes.
inline constexpr std::uint32_t kInShortPieces = 1u << 8;

struct RendezvousHeader {
  AccessHeader access;
  std::uint64_t bytes;
};
static_assert(sizeof(AccessHeader) == 16 && sizeof(RendezvousHeader) == 24);

inline constexpr std::size_t kMaxPut = kAccessPacketBytes - sizeof(AccessHeader);
inline constexpr std::size_t kMaxGet = kAccessPacketBytes - sizeof(Header);
inline constexpr std::size_t kFragmentBytes = kPacketBytes - 128;
inline constexpr std::size_t kMaxMedium = 65536 - 64;

// The offset of the payload in the packet of a message with so many arguments.
constexpr std::size_t payload_offset(unsigned nargs) noexcept {
  return sizeof(Header) + packed_payload_offset(nargs);
}
static_assert(kMaxMedium % 8 == 0 && kFragmentBytes % 8 == 0);
static_assert(kFragmentBytes + sizeof(Header) <= kPacketBytes &&
              payload_offset(kMaxAmArgs) + kFragmentBytes <= kPacketBytes);

// The number of fragments that travel ahead of a message.
constexpr unsigned fragments_of(unsigned nargs, std::size_t length) noexcept {
  const std::size_t at = payload_offset(nargs);
  if (at + length <= kPacketBytes) return 0;
  return static_cast<unsigned>((at + length - kPacketBytes + kFragmentBytes - 1) / kFragmentBytes);
}
// How much of a message's payload they carry.
constexpr std::size_t bytes_ahead(unsigned nargs, std::size_t length) noexcept {
  return fragments_of(nargs, length) * kFragmentBytes;
}
// The payload of several messages in a row, which their receiver processes one by one while the next one is
// made: 16 KiB of packets. With twice as much there is less overlap; half as much is as fast with packets of
// 8 KiB, and slower with those of 4 KiB.
inline constexpr std::size_t kPipelined =
    ((std::size_t{16} << 10) / (kPacketBytes + 128) - 1) * kFragmentBytes + kPacketBytes -
    payload_offset(kMaxAmArgs);
static_assert(kPipelined % 8 == 0 && kPipelined <= kMaxMedium);
inline constexpr unsigned kAmPackets = 1 + fragments_of(kMaxAmArgs, kMaxMedium);  // of one message, at most

// A request in bulk (Conduit::am_send_bulk): its packet has the beginning of the payload, the rest is sent as
// the data of a large put. One of several in a row is still in the receiver's cache when it is processed.
inline constexpr std::size_t kMaxBulk = std::size_t{128} << 10;
static_assert(payload_offset(kMaxAmArgs) + kMaxBulkPrefix <= kPacketBytes);

// Could a process of this job have sent this packet: is its kind known, and its length what its fields say?
// To be called before anything in it is used.
inline bool well_formed(const void* packet, std::size_t bytes) noexcept {
  if (bytes < sizeof(Header)) return false;
  const auto header = read_as<Header>(packet);
  switch (header.kind) {
    case Kind::kRequest:
    case Kind::kReply:
    case Kind::kUnsolicitedReply:
      return is_packed_message(static_cast<const char*>(packet) + sizeof header, bytes - sizeof header,
                               kMaxMedium,
                               [](const AmHeader& am) { return bytes_ahead(am.nargs, am.length); });
    case Kind::kBulkRequest: {
      if (bytes < sizeof header + sizeof(AmHeader)) return false;
      const auto am = read_as<AmHeader>(static_cast<const char*>(packet) + sizeof header);
      return am.nargs <= kMaxAmArgs && am.length <= kMaxBulk && bytes >= payload_offset(am.nargs) &&
             bytes - payload_offset(am.nargs) < am.length;
    }
    case Kind::kRequestFragment:
    case Kind::kReplyFragment:
      return bytes == sizeof header + kFragmentBytes;
    case Kind::kPut:
    case Kind::kPutFragment:
      return bytes > sizeof(AccessHeader) && bytes <= kAccessPacketBytes &&
             bytes == sizeof(AccessHeader) + header.value;
    case Kind::kGet:
      return bytes == sizeof(AccessHeader) && header.value != 0 && header.value <= kMaxGet;
    case Kind::kGetReply:
      return bytes > sizeof header;
    case Kind::kRendezvousPut:
    case Kind::kRendezvousGet:
      return bytes == sizeof(RendezvousHeader);
    case Kind::kFin:
    case Kind::kCreditUpdate:
      return bytes == sizeof header;
  }
  return false;
}

// The kind and header that a packet with a wrong checksum claims to have.
inline PacketClaim claim_of(const char* packet, std::size_t bytes) noexcept {
  if (bytes < sizeof(Header)) return {};
  switch (read_as<Header>(packet).kind) {
    case Kind::kRequest:
    case Kind::kReply:
    case Kind::kUnsolicitedReply:
    case Kind::kBulkRequest:
      return claim_of_message<Kind>(packet, bytes);
    case Kind::kRequestFragment:
      return {"a fragment of a request"};
    case Kind::kReplyFragment:
      return {"a fragment of a reply"};
    case Kind::kPut:
    case Kind::kPutFragment:
      return {"a put"};
    case Kind::kGet:
      return {"a get"};
    case Kind::kGetReply:
      return {"the answer to a get"};
    case Kind::kRendezvousPut:
    case Kind::kRendezvousGet:
    case Kind::kFin:
      return {"the announcement or the end of a large transfer"};
    case Kind::kCreditUpdate:
      return {"a credit update"};
  }
  return {};
}

}  // namespace upcr::mpi

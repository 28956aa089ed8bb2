// SPDX-License-Identifier: BSD-3-Clause
// Packets of the mpi conduit: messages of every shape fit in their packets, and a packet of any other length
// is refused.
#include "conduits/net/mpi/messages/wire.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace upcr::mpi {
namespace {

struct alignas(64) Buffer {
  char bytes[kPacketBytes + 64] = {};

  template <typename T>
  void put(const T& value, std::size_t at = 0) {
    std::memcpy(bytes + at, &value, sizeof value);
  }
  Header& header() { return *reinterpret_cast<Header*>(bytes); }
};

// Is well formed at exactly `right` bytes.
void expect_length(const Buffer& packet, std::size_t right) {
  for (std::size_t n = 0; n <= kPacketBytes; ++n)
    ASSERT_EQ(well_formed(packet.bytes, n), n == right)
        << n << " bytes, kind " << static_cast<int>(read_as<Header>(packet.bytes).kind);
}

TEST(Wire, MessagesOfEveryShapeFit) {
  for (unsigned nargs = 0; nargs <= kMaxAmArgs; ++nargs)
    for (std::size_t length = 0; length <= kMaxMedium; length += length % 97 == 0 ? 1 : 7) {
      const std::size_t ahead = bytes_ahead(nargs, length);
      ASSERT_LE(ahead, length);
      ASSERT_EQ(ahead, fragments_of(nargs, length) * kFragmentBytes);
      ASSERT_LT(fragments_of(nargs, length), kAmPackets);
      // No fragment without need.
      if (ahead != 0) ASSERT_GT(payload_offset(nargs) + length - (ahead - kFragmentBytes), kPacketBytes);
      ASSERT_LE(payload_offset(nargs) + length - ahead, kPacketBytes);
      ASSERT_EQ(payload_offset(nargs) % 8, 0u);
      ASSERT_GE(payload_offset(nargs), sizeof(Header) + sizeof(AmHeader) + nargs * 4);
    }
  EXPECT_EQ(bytes_ahead(0, 8), 0u);
  EXPECT_GE(kMaxMedium, 65000u);  // what clients of other implementations may send
}

TEST(Wire, OnlyTheRightLengthIsAMessage) {
  for (const Kind kind : {Kind::kRequest, Kind::kReply, Kind::kUnsolicitedReply})
    for (const unsigned nargs : {0u, 1u, 2u, 15u, 16u})
      for (const std::size_t length : {0ul, 1ul, 8ul, 3800ul, 3888ul, 3900ul, 4096ul, kMaxMedium}) {
        Buffer packet;
        packet.put(Header{kind, 0, 0, 0});
        packet.put(AmHeader{1, static_cast<std::uint8_t>(nargs), 0, 0, static_cast<std::uint32_t>(length)},
                   sizeof(Header));
        expect_length(packet, payload_offset(nargs) + length - bytes_ahead(nargs, length));
      }
}

TEST(Wire, MessagesThatAreTooLargeAreRefused) {
  Buffer packet;
  packet.put(Header{Kind::kRequest, 0, 0, 0});
  for (const AmHeader am : {AmHeader{0, 17, 0, 0, 0}, AmHeader{0, 255, 0, 0, 0},
                            AmHeader{0, 0, 0, 0, kMaxMedium + 1}, AmHeader{0, 0, 0, 0, 0xffffffff}}) {
    packet.put(am, sizeof(Header));
    expect_length(packet, kPacketBytes + 1);  // none
  }
}

// A part of the payload, with which the message is not complete.
TEST(Wire, OnlyTheBeginningOfAMessageIsARequestInBulk) {
  Buffer packet;
  packet.put(Header{Kind::kBulkRequest, 0, 0, 0});
  packet.put(AmHeader{0, 2, 0, 0, 100}, sizeof(Header));
  for (std::size_t bytes = 0; bytes <= 200; ++bytes)
    EXPECT_EQ(well_formed(packet.bytes, bytes), bytes >= payload_offset(2) && bytes < payload_offset(2) + 100)
        << bytes;
  for (const AmHeader am : {AmHeader{0, 17, 0, 0, 1000}, AmHeader{0, 2, 0, 0, 0},
                            AmHeader{0, 2, 0, 0, kMaxBulk + 1}, AmHeader{0, 0, 0, 0, 0xffffffff}}) {
    packet.put(am, sizeof(Header));
    expect_length(packet, kPacketBytes + 1);  // none
  }
}

TEST(Wire, OnlyTheRightLengthIsAnAccess) {
  Buffer packet;
  for (const Kind kind : {Kind::kPut, Kind::kPutFragment})
    for (const std::uint32_t bytes : {1u, 8u, 100u, static_cast<std::uint32_t>(kMaxPut)}) {
      packet.header() = {kind, 0, 0, bytes};
      expect_length(packet, sizeof(AccessHeader) + bytes);
    }
  for (const std::uint32_t bytes : {0u, static_cast<std::uint32_t>(kMaxPut) + 1, 0xfffffff8u, 0xffffffffu}) {
    packet.header() = {Kind::kPut, 0, 0, bytes};
    expect_length(packet, kPacketBytes + 1);
  }
  packet.header() = {Kind::kGet, 0, 0, 8};
  expect_length(packet, sizeof(AccessHeader));
  for (const std::uint32_t bytes : {0u, static_cast<std::uint32_t>(kMaxGet) + 1, 0xffffffffu}) {
    packet.header() = {Kind::kGet, 0, 0, bytes};
    expect_length(packet, kPacketBytes + 1);
  }
  for (const Kind kind : {Kind::kRendezvousPut, Kind::kRendezvousGet}) {
    packet.header() = {kind, 0, 0, 0};
    expect_length(packet, sizeof(RendezvousHeader));
  }
  for (const Kind kind : {Kind::kFin, Kind::kCreditUpdate}) {
    packet.header() = {kind, 0, 0, 0};
    expect_length(packet, sizeof(Header));
  }
  for (const Kind kind : {Kind::kRequestFragment, Kind::kReplyFragment}) {
    packet.header() = {kind, 0, 0, 0};
    expect_length(packet, sizeof(Header) + kFragmentBytes);
  }
}

TEST(Wire, UnknownKindsAreRefused) {
  Buffer packet;
  for (unsigned kind = 0; kind < 256; ++kind) {
    if (kind >= static_cast<unsigned>(Kind::kRequest) && kind <= static_cast<unsigned>(Kind::kCreditUpdate))
      continue;
    packet.header() = {static_cast<Kind>(kind), 0, 0, 8};
    expect_length(packet, kPacketBytes + 1);
  }
}

}  // namespace
}  // namespace upcr::mpi

// SPDX-License-Identifier: BSD-3-Clause
// Packets of the ibv conduit as their receiver checks them.
#include <gtest/gtest.h>

#include <cstring>

#include "conduits/net/ibv/queues/wire.hpp"

namespace upcr::ibv {
namespace {

struct Built {
  alignas(8) char bytes[kPacketBytes + 64] = {};
  std::size_t length = 0;
};

Built message(PacketKind kind, unsigned nargs, std::size_t payload) {
  static char body[kMaxMedium];
  static const std::uint32_t args[kMaxAmArgs] = {};
  AmPacket p;
  p.head = {1, static_cast<std::uint8_t>(nargs), 0, 0, static_cast<std::uint32_t>(payload)};
  p.args = args;
  p.body = body;
  p.body_bytes = payload;
  Built b;
  const Header header{kind, 0, 0, 3};
  std::memcpy(b.bytes, &header, sizeof header);
  b.length = sizeof header + pack_message(b.bytes + sizeof header, p);
  return b;
}

TEST(IbvWire, AcceptsEveryMessageThatCanBeSentAndNoOtherLength) {
  for (const PacketKind kind : {PacketKind::kRequest, PacketKind::kReply, PacketKind::kUnsolicitedReply})
    for (const unsigned nargs : {0u, 1u, 2u, 15u, kMaxAmArgs})
      for (const std::size_t payload : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, kMaxMedium}) {
        const Built b = message(kind, nargs, payload);
        ASSERT_LE(b.length, kPacketBytes);
        EXPECT_TRUE(well_formed(b.bytes, b.length));
        EXPECT_FALSE(well_formed(b.bytes, b.length - 1));
        EXPECT_FALSE(well_formed(b.bytes, b.length + 1));
      }
}

TEST(IbvWire, TheLargestMessageFillsAPacket) {
  EXPECT_EQ(message(PacketKind::kRequest, kMaxAmArgs, kMaxMedium).length, kPacketBytes);
}

TEST(IbvWire, HeadersAloneAreExactlyAHeader) {
  for (const PacketKind kind :
       {PacketKind::kCreditUpdate, PacketKind::kHello, PacketKind::kClose, PacketKind::kShareConfirmed,
        PacketKind::kEvict, PacketKind::kEvictAgreed, PacketKind::kEvictRefused}) {
    const Header header{kind, 0, 0, 3};
    char bytes[sizeof header + 1] = {};
    std::memcpy(bytes, &header, sizeof header);
    EXPECT_TRUE(well_formed(bytes, sizeof header));
    EXPECT_FALSE(well_formed(bytes, sizeof header + 1));
    EXPECT_FALSE(well_formed(bytes, sizeof header - 1));
  }
}

TEST(IbvWire, AShareFollowsItsHeader) {
  const Header header{PacketKind::kShare, 0, 0, 3};
  char bytes[sizeof header + sizeof(Share) + 1] = {};
  std::memcpy(bytes, &header, sizeof header);
  EXPECT_TRUE(well_formed(bytes, sizeof header + sizeof(Share)));
  EXPECT_FALSE(well_formed(bytes, sizeof header + sizeof(Share) + 1));
  EXPECT_FALSE(well_formed(bytes, sizeof header + sizeof(Share) - 1));
  EXPECT_FALSE(well_formed(bytes, sizeof header));
}

TEST(IbvWire, RefusesWhatNoProcessSends) {
  Built b = message(PacketKind::kRequest, 2, 8);
  for (const int kind : {0, static_cast<int>(PacketKind::kEvictRefused) + 1, 255}) {
    b.bytes[0] = static_cast<char>(kind);
    EXPECT_FALSE(well_formed(b.bytes, b.length));
    EXPECT_FALSE(well_formed(b.bytes, sizeof(Header)));
  }
  b = message(PacketKind::kRequest, kMaxAmArgs, 8);
  b.bytes[sizeof(Header) + offsetof(AmHeader, nargs)] = kMaxAmArgs + 1;
  EXPECT_FALSE(well_formed(b.bytes, b.length + 8));
  b = message(PacketKind::kRequest, 0, kMaxMedium);
  const std::uint32_t too_long = kMaxMedium + 8;
  std::memcpy(b.bytes + sizeof(Header) + offsetof(AmHeader, length), &too_long, sizeof too_long);
  EXPECT_FALSE(well_formed(b.bytes, b.length + 8));
  EXPECT_FALSE(well_formed(b.bytes, 0));
}

TEST(IbvWire, ClaimsOfCorruptedPackets) {
  Built b = message(PacketKind::kReply, 2, 8);
  EXPECT_TRUE(claim_of(b.bytes, b.length).has_message);
  EXPECT_EQ(claim_of(b.bytes, b.length).message.nargs, 2);
  b.bytes[0] = static_cast<char>(PacketKind::kHello);
  EXPECT_FALSE(claim_of(b.bytes, b.length).has_message);
  EXPECT_STREQ(claim_of(b.bytes, b.length).kind, "the first packet of a connection");
  b.bytes[0] = 0;
  EXPECT_STREQ(claim_of(b.bytes, b.length).kind, "of an unknown kind");
  EXPECT_STREQ(claim_of(b.bytes, sizeof(Header) - 1).kind, "of an unknown kind");
}

}  // namespace
}  // namespace upcr::ibv

// SPDX-License-Identifier: BSD-3-Clause
// Parts of the credited channel: messages as bytes, the queue of held requests, the list of pending
// acknowledgements.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "conduits/core/transport/credited/packed_message.hpp"
#include "conduits/core/transport/credited/pending_ack_list.hpp"
#include "conduits/core/transport/credited/ring_queue.hpp"

namespace upcr {
namespace {

constexpr std::size_t kMedium = 200;

// A message of this shape; its payload's bytes are 0, 1, 2, ...
struct Message {
  Message(unsigned nargs, std::size_t prefix, std::size_t body) : payload(prefix + body) {
    for (unsigned i = 0; i < nargs; ++i) args[i] = 1000 + i;
    std::iota(payload.begin(), payload.end(), 0);
    packet.head = {7, static_cast<std::uint8_t>(nargs), kAmMedium, 0,
                   static_cast<std::uint32_t>(prefix + body)};
    packet.args = args;
    packet.prefix = payload.data();
    packet.prefix_bytes = prefix;
    packet.body = payload.data() + prefix;
    packet.body_bytes = body;
  }
  std::uint32_t args[kMaxAmArgs];
  std::vector<unsigned char> payload;
  AmPacket packet;
};

TEST(PackedMessage, ComesOutAsItWentIn) {
  alignas(8) char bytes[kMaxPayloadOffset + kMedium];
  for (unsigned nargs = 0; nargs <= kMaxAmArgs; ++nargs)
    for (const std::size_t prefix : {0u, 1u, 32u})
      for (const std::size_t body : {0u, 1u, 7u, 168u}) {
        const Message m(nargs, prefix, body);
        const std::size_t n = pack_message(bytes, m.packet);
        ASSERT_EQ(n, packed_payload_offset(nargs) + prefix + body);
        ASSERT_TRUE(is_packed_message(bytes, n, kMedium));
        const AmArrival a = unpack_message(3, bytes);
        ASSERT_EQ(a.source, 3u);
        ASSERT_EQ(std::memcmp(&a.head, &m.packet.head, sizeof a.head), 0);
        ASSERT_EQ(std::memcmp(a.args, m.args, nargs * sizeof *m.args), 0);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(a.payload) % 8, 0u);
        ASSERT_TRUE(
            std::equal(m.payload.begin(), m.payload.end(), static_cast<const unsigned char*>(a.payload)));
      }
}

TEST(PackedMessage, PartOfThePayloadMayGoAhead) {
  for (const std::size_t ahead : {1u, 31u, 32u, 33u, 100u}) {
    const Message m(5, 32, 68);
    char first[kMedium], bytes[kMaxPayloadOffset + kMedium];
    copy_payload(first, m.packet, 0, ahead);
    const std::size_t n = pack_message(bytes, m.packet, ahead);
    EXPECT_EQ(n, packed_payload_offset(5) + 100 - ahead);
    EXPECT_EQ(std::memcmp(first, m.payload.data(), ahead), 0);
    EXPECT_EQ(std::memcmp(bytes + packed_payload_offset(5), m.payload.data() + ahead, 100 - ahead), 0);
    EXPECT_TRUE(is_packed_message(bytes, n, kMedium, [&](const AmHeader&) { return ahead; }));
    EXPECT_FALSE(is_packed_message(bytes, n, kMedium));
  }
}

TEST(PackedMessage, OtherBytesAreNone) {
  alignas(8) char bytes[kMaxPayloadOffset + kMedium];
  const Message m(3, 0, 20);
  const std::size_t n = pack_message(bytes, m.packet);
  for (std::size_t other = 0; other < sizeof bytes; ++other)
    EXPECT_EQ(is_packed_message(bytes, other, kMedium), other == n);
  EXPECT_FALSE(is_packed_message(bytes, n, 19));
  AmHeader head = m.packet.head;
  head.nargs = kMaxAmArgs + 1;
  std::memcpy(bytes, &head, sizeof head);
  for (std::size_t other = 0; other < sizeof bytes; ++other)
    EXPECT_FALSE(is_packed_message(bytes, other, kMedium));
}

TEST(RingQueue, FirstInFirstOutAroundTheEndAndWhileItGrows) {
  RingQueue<unsigned> queue;
  unsigned in = 0, out = 0;
  std::mt19937 random(1);
  for (unsigned step = 0; step < 10000; ++step) {
    ASSERT_EQ(queue.empty(), in == out);
    ASSERT_EQ(queue.size(), in - out);
    if (random() % 2 == 0 && in - out < 5 + step / 50) {
      queue.push(in++);
    } else if (!queue.empty()) {
      ASSERT_EQ(queue.front(), out);
      ASSERT_EQ(queue.pop(), out++);
    }
  }
  EXPECT_GT(out, 1000u);
}

TEST(PendingAckList, EachPeerIsListedOnceAndStaysWhileThereIsNoRoom) {
  PendingAckList list;
  list.open(10);
  for (const Rank rank : {4u, 2u, 4u, 9u, 2u}) list.add(rank);
  std::string sent;
  const auto send = [&](Rank rank) {
    if (rank == 2) return false;
    sent += std::to_string(rank);
    return true;
  };
  list.flush(send);
  EXPECT_EQ(sent, "49");
  EXPECT_FALSE(list.empty());
  list.add(2);
  list.add(4);
  list.flush([&](Rank rank) {
    sent += std::to_string(rank);
    return true;
  });
  EXPECT_EQ(sent, "4924");
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace upcr

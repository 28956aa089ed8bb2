// SPDX-License-Identifier: BSD-3-Clause
// The credited channel over a simulated network: nothing is lost and each pair of processes keeps its order.
// Processes send requests at random and are refused; handlers reply; some polls accept no requests.
// Everything arrives once and in order, and in the end no packet is in flight.
#include "conduits/core/transport/credited/channel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "tests/support/credited_network.hpp"

namespace upcr {
namespace {

using test::credited::Bytes;
using test::credited::Header;
using test::credited::Job;
using test::credited::Kind;
using test::credited::Packet;
using test::credited::Process;

struct Shape {
  unsigned limit, room;
};
class Channel : public ::testing::TestWithParam<Shape> {};

TEST_P(Channel, EverythingArrivesOnceAndInOrder) {
  constexpr Rank kProcesses = 3;
  const auto [limit, room] = GetParam();
  std::mt19937 random(limit * 100 + room);
  Job job(kProcesses, limit, room);
  std::uint64_t refused = 0;
  for (int step = 0; step < 60000 && !HasFatalFailure(); ++step) {
    const Rank from = random() % kProcesses, to = (from + 1 + random() % (kProcesses - 1)) % kProcesses;
    Process& p = *job.processes[from];
    switch (random() % 8) {
      case 0:
        p.poll(random);
        break;
      case 1:
        refused += p.late_reply(to) ? 0 : 1;
        break;
      case 2:
        refused += p.own_request(to) ? 0 : 1;
        break;
      default:
        for (unsigned n = random() % 4; n > 0; --n) refused += p.request(to, random() % 2 == 0) ? 0 : 1;
        break;
    }
  }
  job.drain(random);
  job.expect_all_arrived();
  EXPECT_GT(refused, 100u);
  std::uint64_t held = 0, delivered = 0, own = 0;
  for (const auto& p : job.processes) {
    held += p->wire.held;
    delivered += p->delivered;
    own += p->own_requests;
  }
  EXPECT_GT(held, 100u);
  EXPECT_GT(delivered, 1000u);
  EXPECT_GT(own, 100u);
}

// Both sides send until they are refused, and only then poll: requests are held on both sides, and both are
// full.
TEST_P(Channel, FloodsInBothDirectionsEnd) {
  const auto [limit, room] = GetParam();
  std::mt19937 random(7);
  Job job(2, limit, room);
  for (std::uint32_t sent = 0; sent < 3000;
       sent = job.processes[0]->next_to[1] + job.processes[1]->next_to[0]) {
    for (Rank from = 0; from < 2; ++from)
      while (job.processes[from]->request(1 - from, true)) {
      }
    for (const auto& p : job.processes) p->poll(random);
    if (HasFatalFailure()) return;
  }
  job.drain(random);
  job.expect_all_arrived();
}
INSTANTIATE_TEST_SUITE_P(Limits, Channel,
                         ::testing::Values(Shape{1, 2}, Shape{1, 50}, Shape{2, 2}, Shape{3, 3}, Shape{4, 2},
                                           Shape{kMaxDefaultCredits, 2}, Shape{kMaxDefaultCredits, 64}));

// A process that only sends gets its credits back from one that only polls, and stops at the limit without
// it.
TEST(ChannelCredits, StopAtTheLimitAndComeBack) {
  std::mt19937 random(3);
  for (const unsigned limit : {1u, 2u, kMinDefaultCredits, kMaxDefaultCredits}) {
    Job job(2, limit, 1000);
    Process &a = *job.processes[0], &b = *job.processes[1];
    for (int round = 0; round < 200; ++round) {
      unsigned sent = 0;
      while (a.request(1, false)) ++sent;
      ASSERT_LE(sent, limit);
      ASSERT_EQ(a.wire.find(1)->flow.available(), 0u);
      for (int polls = 0; a.wire.find(1)->flow.available() == 0; ++polls) {
        ASSERT_LT(polls, 1000);
        b.poll(random);
        a.poll(random);
      }
    }
    job.drain(random);
  }
}

// No reply to one peer has room for a while: its requests are held, and another's are processed all the time.
TEST(ChannelHeld, RequestsOfOnePeerDoNotDelayAnothers) {
  std::mt19937 random(9);
  Job job(4, 8, 1000);
  Process& server = *job.processes[0];
  server.wire.blocked = server.wire.find(1);
  for (int round = 0; round < 500 && !HasFatalFailure(); ++round) {
    for (Rank from = 1; from < 4; ++from)
      for (int i = 0; i < 3; ++i) (void)job.processes[from]->request(0, true);
    for (const auto& p : job.processes) p->poll(random);
  }
  EXPECT_EQ(server.next_from[1], 0u);
  EXPECT_EQ(job.processes[1]->next_to[0], 8u);  // all of its credits
  EXPECT_GT(server.next_from[2], 100u);
  EXPECT_GT(server.next_from[3], 100u);
  server.wire.blocked = nullptr;
  job.drain(random);
  job.expect_all_arrived();
  EXPECT_EQ(server.next_from[1], 8u);
}

// Held requests of many peers are taken in turn, not one peer's first.
TEST(ChannelHeld, PeersTakeTurns) {
  struct Peer : CreditedPeer {};
  struct Held {
    Peer* peer;
    int number;
  };
  HeldRequests<Held> held;
  std::vector<Peer> peers(5);
  int taken[5] = {}, pushed[5] = {};
  std::mt19937 random(4);
  for (Rank r = 0; r < 5; ++r) peers[r].rank = r;
  for (int step = 0; step < 20'000; ++step) {
    const Rank rank = random() % 5, blocked = random() % 7;
    if (random() % 2 == 0) held.push({&peers[rank], pushed[rank]++});
    const unsigned budget = random() % 3;
    const unsigned n = held.process(
        budget, [&](const Held& h) { return h.peer->rank != blocked; },
        [&](const Held& h) {
          ASSERT_NE(h.peer->rank, blocked);
          ASSERT_EQ(h.number, taken[h.peer->rank]++);
        });
    ASSERT_LE(n, budget);
    bool none = true;
    for (Rank r = 0; r < 5; ++r) {
      ASSERT_EQ(peers[r].held, pushed[r] - taken[r]);
      none &= peers[r].held == 0;
    }
    ASSERT_EQ(held.empty(), none);
  }
  // One of each, although the first has many.
  held.process(
      ~0u, [](const Held&) { return true; }, [&](const Held& h) { ++taken[h.peer->rank]; });
  for (int i = 0; i < 9; ++i) held.push({&peers[0], pushed[0]++});
  for (Rank r = 1; r < 5; ++r) held.push({&peers[r], pushed[r]++});
  std::vector<Rank> order;
  for (int i = 0; i < 5; ++i)
    held.process(
        1, [](const Held&) { return true; }, [&](const Held& h) { order.push_back(h.peer->rank); });
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<Rank>{0, 1, 2, 3, 4}));
}

// At the end of a job no process sends updates any more.
TEST(ChannelCredits, NoUpdatesAfterTheEnd) {
  std::mt19937 random(5);
  Job job(2, 4, 100);
  for (const auto& p : job.processes) p->channel.stop_acks();
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(job.processes[0]->request(1, false));
  job.drain(random);
  EXPECT_EQ(job.processes[1]->delivered, 4u);
  EXPECT_EQ(job.processes[1]->wire.updates, 0u);
}

using ChannelDeath = ::testing::Test;

TEST(ChannelDeath, ImpossibleAcknowledgementsEndTheJob) {
  Job job(2, 4, 100);
  Process& a = *job.processes[0];
  Bytes forged;
  const Header header{Kind::kCreditUpdate, 0, 1, 0};  // of a request that was never sent
  std::memcpy(forged.data, &header, sizeof header);
  forged.bytes = sizeof header;
  job.network.link(1, 0).on_wire.push_back(forged);
  SpinLock none;
  auto guard = lock_if(none, false);
  Packet packet;
  ASSERT_TRUE(a.wire.receive(1, &packet));
  EXPECT_DEATH(a.channel.arrived(packet, guard), "rank 1 acknowledges more messages than it was sent");
  a.wire.release(packet);
}

}  // namespace
}  // namespace upcr

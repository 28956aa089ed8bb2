// SPDX-License-Identifier: BSD-3-Clause
// The flow control that completes puts and gets of the mpi conduit, without MPI: both ends of a link, driven
// at random through queues that keep their order, against a model that knows what has been processed; and the
// slots of large transfers.
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

#include "conduits/net/mpi/messages/peer_flow_control.hpp"
#include "conduits/net/mpi/messages/rendezvous_table.hpp"

namespace upcr::mpi {
namespace {

// The contents of a header, and a request's number in the model.
struct Packet {
  std::uint16_t processed;
  std::uint8_t unsolicited;
  enum What { kRequest, kPut, kGet, kGetReply, kUnsolicited, kCreditUpdate } what;
  std::uint64_t id;
};

// One process's end, and the wire to the other one.
struct End {
  explicit End(unsigned limit) : entries(limit) { flow.open(entries.data(), limit); }

  Packet packet(Packet::What what, std::uint64_t id) {
    const Packet p{flow.processed(), flow.unsolicited(), what, id};
    flow.acks_sent();
    return p;
  }

  PeerFlowControl flow;
  std::vector<Outstanding> entries;
  std::deque<Packet> out;
  std::uint64_t requests = 0, processed_by_peer = 0, acked_by_peer = 0;  // the model
  std::uint64_t unsolicited = 0, unsolicited_seen = 0;
  struct Op {
    std::uint64_t id;
    std::unique_ptr<Pending> pending;
    bool get;
  };
  std::deque<Op> ops;  // puts and gets not yet complete, oldest first
  std::uint64_t completed = 0;
};

void start(End& from, std::mt19937& random) {
  if (from.flow.available() == 0) return;
  const auto what = static_cast<Packet::What>(random() % 3);
  Pending* pending = nullptr;
  if (what != Packet::kRequest) {
    from.ops.push_back({from.requests, std::make_unique<Pending>(), what == Packet::kGet});
    pending = from.ops.back().pending.get();
    pending->add();
  }
  static char somewhere;
  const std::uint16_t number = from.flow.use(pending, what == Packet::kGet ? &somewhere : nullptr, 8);
  ASSERT_EQ(number, static_cast<std::uint16_t>(from.requests));
  from.out.push_back(from.packet(what, from.requests++));
}

// `to` receives the oldest packet of `from`.
void receive(End& from, End& to, unsigned limit) {
  if (from.out.empty()) return;
  const Packet p = from.out.front();
  from.out.pop_front();
  if (p.what == Packet::kGetReply) {
    const Outstanding* get = to.flow.outstanding_get(static_cast<std::uint16_t>(p.id));
    ASSERT_NE(get, nullptr);
    ASSERT_EQ(get->bytes, 8u);
    get->pending->complete();
  }
  ASSERT_TRUE(to.flow.on_ack(p.processed));
  ASSERT_TRUE(to.flow.on_unsolicited_ack(p.unsolicited));
  // The header's count is what `from` had processed when the packet left.
  to.acked_by_peer += static_cast<std::uint16_t>(p.processed - static_cast<std::uint16_t>(to.acked_by_peer));
  ASSERT_LE(to.acked_by_peer, to.processed_by_peer);
  while (!to.ops.empty() && to.ops.front().pending->done()) {
    ASSERT_LT(to.ops.front().id, to.processed_by_peer) << "completed before it was processed";
    to.ops.pop_front();
    ++to.completed;
  }
  for (const End::Op& op : to.ops) ASSERT_GE(op.id, to.acked_by_peer) << "acknowledged and not complete";
  switch (p.what) {
    case Packet::kRequest:
    case Packet::kPut:
    case Packet::kGet:
      ASSERT_EQ(p.id, from.processed_by_peer);
      ASSERT_LE(from.requests - p.id, limit);
      ++from.processed_by_peer;
      to.flow.request_processed(p.what == Packet::kPut);
      if (p.what == Packet::kGet) to.out.push_back(to.packet(Packet::kGetReply, p.id));
      break;
    case Packet::kUnsolicited:
      to.flow.unsolicited_processed();
      ++from.unsolicited_seen;
      ASSERT_LE(from.unsolicited - from.unsolicited_seen, kUnsolicitedLimit);
      break;
    default:
      break;
  }
  if (to.flow.ack_due()) to.out.push_back(to.packet(Packet::kCreditUpdate, 0));
}

void send_unsolicited(End& from) {
  if (!from.flow.may_send_unsolicited()) return;
  from.flow.unsolicited_sent();
  ++from.unsolicited;
  from.out.push_back(from.packet(Packet::kUnsolicited, 0));
}

class Link : public ::testing::TestWithParam<unsigned> {};

TEST_P(Link, CreditsComeBackAndEverythingCompletesOnce) {
  const unsigned limit = GetParam();
  End a(limit), b(limit);
  std::mt19937 random(limit);
  // Far enough for the 16-bit counts to wrap around.
  for (int step = 0; step < 4000000 && a.requests < 140000 && !::testing::Test::HasFatalFailure(); ++step) {
    switch (random() % 6) {
      case 0:
        start(a, random);
        break;
      case 1:
        start(b, random);
        break;
      case 2:
        if (random() % 4 == 0) send_unsolicited(random() % 2 != 0 ? a : b);
        break;
      case 3:
        for (unsigned n = random() % limit; n > 0; --n) start(a, random);
        break;
      case 4:
        for (unsigned n = random() % (2 * limit); n > 0; --n) receive(a, b, limit);
        break;
      default:
        for (unsigned n = random() % (2 * limit); n > 0; --n) receive(b, a, limit);
        break;
    }
  }
  while (!a.out.empty() || !b.out.empty()) {
    receive(a, b, limit);
    receive(b, a, limit);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_TRUE(a.ops.empty() && b.ops.empty());
  EXPECT_EQ(a.requests / 10000, 14u);
  EXPECT_GT(a.completed, 20000u);
  EXPECT_GT(b.completed, 1000u);
  // Acknowledged without being asked for: at least half of the credits, and of the unsolicited replies.
  EXPECT_GE(a.flow.available(), limit / 2);
  EXPECT_GE(b.flow.available(), limit / 2);
  EXPECT_TRUE(a.flow.may_send_unsolicited() && b.flow.may_send_unsolicited());
}
INSTANTIATE_TEST_SUITE_P(Limits, Link, ::testing::Values(kMinDefaultCredits, 8u, kMaxDefaultCredits));

// The peer does not wait and no packet goes back: acknowledgements are due all the same before the sender
// runs out of credits.
TEST(PeerFlowControl, RequestsAndUnsolicitedRepliesAreAcknowledgedInTime) {
  for (const unsigned limit : {kMinDefaultCredits, kMaxDefaultCredits}) {
    End a(limit), b(limit);
    for (int round = 0; round < 1000; ++round) {
      ASSERT_NE(a.flow.available(), 0u);
      a.flow.use();
      b.flow.request_processed(false);
      for (int unsolicited = round % 3; unsolicited > 0; --unsolicited) {
        ASSERT_TRUE(a.flow.may_send_unsolicited());
        a.flow.unsolicited_sent();
        b.flow.unsolicited_processed();
      }
      if (!b.flow.ack_due()) continue;
      const Packet update = b.packet(Packet::kCreditUpdate, 0);
      ASSERT_FALSE(b.flow.ack_due());
      ASSERT_TRUE(a.flow.on_ack(update.processed) && a.flow.on_unsolicited_ack(update.unsolicited));
    }
  }
}

TEST(PeerFlowControl, RefusesImpossibleCounts) {
  std::vector<Outstanding> entries(8);
  PeerFlowControl flow;
  flow.open(entries.data(), 8);
  EXPECT_TRUE(flow.on_ack(0));
  EXPECT_FALSE(flow.on_ack(1));  // nothing was sent
  Pending pending;
  pending.add();
  flow.use(&pending, nullptr, 0);
  EXPECT_FALSE(flow.on_ack(2));
  EXPECT_FALSE(flow.on_ack(0xffff));
  EXPECT_FALSE(pending.done());
  EXPECT_TRUE(flow.on_ack(1));
  EXPECT_TRUE(pending.done());
}

TEST(PeerFlowControl, FindsOnlyGetsThatAreOutstanding) {
  char here;
  Pending pending;
  std::vector<Outstanding> entries(8, {&pending, &here, 1});  // of gets that are complete
  PeerFlowControl flow;
  flow.open(entries.data(), 8);
  flow.use(&pending, nullptr, 0);
  flow.use(&pending, &here, 3);
  EXPECT_EQ(flow.outstanding_get(0), nullptr);  // a put
  ASSERT_NE(flow.outstanding_get(1), nullptr);
  EXPECT_EQ(flow.outstanding_get(1)->destination, &here);
  EXPECT_EQ(flow.outstanding_get(2), nullptr);
  EXPECT_EQ(flow.outstanding_get(9), nullptr);  // the same entry, another number
  EXPECT_EQ(flow.outstanding_get(1u << 16 | 1), nullptr);
}

TEST(RendezvousTable, APutEndsWhenItHasLeftAndArrivedInAnyOrder) {
  RendezvousTable table;
  Pending remote, local;
  for (int round = 0; round < 100; ++round) {
    unsigned used[kMaxRendezvous];
    for (unsigned& index : used) {
      remote.add();
      local.add();
      index = table.begin_put(remote, &local);
      ASSERT_NE(index, RendezvousTable::kNone);
    }
    EXPECT_EQ(table.begin_put(remote, &local), RendezvousTable::kNone);
    EXPECT_EQ(table.begin_get(remote), RendezvousTable::kNone);
    for (unsigned i = 0; i < kMaxRendezvous; ++i) {
      if ((round + i) % 2 != 0) {
        table.put_sent(used[i]);
        EXPECT_TRUE(table.put_arrived(used[i]));
      } else {
        EXPECT_TRUE(table.put_arrived(used[i]));
        EXPECT_FALSE(table.put_arrived(used[i])) << "twice";
        table.put_sent(used[i]);
      }
      EXPECT_FALSE(table.put_arrived(used[i])) << "not in progress";
    }
    EXPECT_TRUE(remote.done() && local.done());  // and the next round finds all slots free
  }
}

TEST(RendezvousTable, AGetIsNoPut) {
  RendezvousTable table;
  Pending done;
  done.add();
  const unsigned index = table.begin_get(done);
  EXPECT_FALSE(table.put_arrived(index));
  EXPECT_FALSE(table.put_arrived(kMaxRendezvous));
  EXPECT_FALSE(table.put_arrived(0xffffffff));
  table.get_arrived(index);
  EXPECT_TRUE(done.done());
  for (unsigned i = 0; i < kMaxRendezvous; ++i) EXPECT_NE(table.begin_get(done), RendezvousTable::kNone);
}

}  // namespace
}  // namespace upcr::mpi

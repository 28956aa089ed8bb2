// SPDX-License-Identifier: BSD-3-Clause
// Credits, with every limit that a user may choose. channel_test drives them at random from both ends.
#include <gtest/gtest.h>

#include "conduits/core/transport/credited/credits.hpp"

namespace upcr {
namespace {

// A packet from `from` with its acknowledgements arrives at `to`.
void acknowledge(Credits& from, Credits& to) {
  ASSERT_TRUE(to.on_ack(from.processed()) && to.on_unsolicited_ack(from.unsolicited()));
  from.acks_sent();
  ASSERT_FALSE(from.ack_due());
}

class Limit : public ::testing::TestWithParam<unsigned> {};

// The peer does not wait and no packet goes back: acknowledgements are due all the same before the sender
// runs out of credits, and no more often than that.
TEST_P(Limit, RequestsAreAcknowledgedInTime) {
  Credits a, b;
  a.open(GetParam());
  b.open(GetParam());
  EXPECT_FALSE(a.ack_due());
  unsigned updates = 0;
  for (unsigned round = 0; round < 140000; ++round) {  // the 16-bit counts wrap around
    ASSERT_NE(a.available(), 0u);
    ASSERT_LE(a.available(), GetParam());
    ASSERT_EQ(a.use(), static_cast<std::uint16_t>(round));
    b.request_processed(false);
    if (!b.ack_due()) continue;
    acknowledge(b, a);
    ++updates;
  }
  EXPECT_LE(updates, 140000 / std::max(GetParam() / 2, 1u));
}
INSTANTIATE_TEST_SUITE_P(Sizes, Limit, ::testing::Values(1u, 2u, 3u, 7u, 32u, 1024u, 32768u));

TEST(Credits, NoMoreThanTheLimitIsOutstanding) {
  Credits a, b;
  a.open(3);
  b.open(3);
  for (unsigned i = 0; i < 3; ++i) a.use();
  EXPECT_EQ(a.available(), 0u);
  EXPECT_TRUE(a.is_outstanding(0) && a.is_outstanding(2));
  EXPECT_FALSE(a.is_outstanding(3) || a.is_outstanding(0xffff));
  b.request_processed(false);
  acknowledge(b, a);
  EXPECT_EQ(a.available(), 1u);
  EXPECT_FALSE(a.is_outstanding(0));
}

TEST(Credits, APeerThatWaitsIsAcknowledgedAtOnce) {
  Credits a, b;
  a.open(32);
  b.open(32);
  a.use();
  b.request_processed(true);
  EXPECT_TRUE(b.ack_due());
  acknowledge(b, a);
}

TEST(Credits, EachRequestIsAcknowledgedOnceInOrder) {
  Credits a;
  a.open(8);
  for (unsigned i = 0; i < 5; ++i) a.use();
  std::uint16_t next = 0;
  const auto acked = [&](std::uint16_t number) { EXPECT_EQ(number, next++); };
  EXPECT_TRUE(a.on_ack(2, acked));
  EXPECT_TRUE(a.on_ack(2, acked));
  EXPECT_TRUE(a.on_ack(5, acked));
  EXPECT_FALSE(a.on_ack(6, acked));
  EXPECT_EQ(next, 5);
}

TEST(Credits, RefusesImpossibleCounts) {
  Credits a;
  a.open(8);
  EXPECT_TRUE(a.on_ack(0));
  EXPECT_FALSE(a.on_ack(1));  // nothing was sent
  a.use();
  EXPECT_FALSE(a.on_ack(2));
  EXPECT_FALSE(a.on_ack(0xffff));
  EXPECT_TRUE(a.on_ack(1));
  EXPECT_FALSE(a.on_unsolicited_ack(1));
  a.unsolicited_sent();
  EXPECT_TRUE(a.on_unsolicited_ack(1));
  EXPECT_FALSE(a.on_unsolicited_ack(0));
}

TEST(Credits, UnsolicitedRepliesAreAcknowledgedInTime) {
  Credits a, b;
  a.open(32);
  b.open(32);
  for (unsigned round = 0; round < 1000; ++round) {
    ASSERT_TRUE(a.may_send_unsolicited());
    a.unsolicited_sent();
    b.unsolicited_processed();
    if (b.ack_due()) acknowledge(b, a);
  }
}

TEST(Credits, LimitsShrinkInLargeJobs) {
  EXPECT_EQ(credit_limit_for(1), kMaxDefaultCredits);
  EXPECT_EQ(credit_limit_for(2), kMaxDefaultCredits);
  unsigned last = kMaxDefaultCredits;
  for (unsigned processes = 2; processes < 100000; processes += 1 + processes / 7) {
    const unsigned limit = credit_limit_for(processes);
    EXPECT_EQ(limit & (limit - 1), 0u);
    EXPECT_LE(limit, last);
    EXPECT_GE(limit, kMinDefaultCredits);
    EXPECT_TRUE(limit == kMinDefaultCredits || std::size_t{limit} * (processes - 1) <= kTargetReceives);
    last = limit;
  }
  EXPECT_EQ(last, kMinDefaultCredits);
}

}  // namespace
}  // namespace upcr

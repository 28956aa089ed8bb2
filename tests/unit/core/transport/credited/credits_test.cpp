// SPDX-License-Identifier: BSD-3-Clause
// Credits, with every limit that a user may choose. channel_test drives them at random from both ends.
#include <gtest/gtest.h>

#include "conduits/core/transport/credited/credits.hpp"

namespace upcr {
namespace {

// The counts that `from` would put in a packet to `to` arrive.
void tell(Credits& from, Credits& to) {
  ASSERT_TRUE(to.on_ack(from.processed()) && to.on_unsolicited_ack(from.unsolicited_received()));
  from.acks_sent();
  ASSERT_FALSE(from.ack_due());
}

class Window : public ::testing::TestWithParam<unsigned> {};

// Nobody waits and nothing goes back by itself: the counts must go all the same before the sender runs dry,
// and not without a reason.
TEST_P(Window, PlainRequestsAreToldOfInTime) {
  Credits a, b;
  a.open(GetParam());
  b.open(GetParam());
  EXPECT_FALSE(a.ack_due());
  unsigned tells = 0;
  for (unsigned round = 0; round < 140000; ++round) {  // the 16-bit counts come round
    ASSERT_NE(a.credits(), 0u);
    ASSERT_LE(a.credits(), GetParam());
    ASSERT_EQ(a.take_credit(), static_cast<std::uint16_t>(round));
    b.serve(false);
    if (!b.ack_due()) continue;
    tell(b, a);
    ++tells;
  }
  EXPECT_LE(tells, 140000 / std::max(GetParam() / 2, 1u));
}
INSTANTIATE_TEST_SUITE_P(Sizes, Window, ::testing::Values(1u, 2u, 3u, 7u, 32u, 1024u, 32768u));

TEST(Credits, AtMostAWindowIsUnserved) {
  Credits a, b;
  a.open(3);
  b.open(3);
  for (unsigned i = 0; i < 3; ++i) a.take_credit();
  EXPECT_EQ(a.credits(), 0u);
  EXPECT_TRUE(a.is_outstanding(0) && a.is_outstanding(2));
  EXPECT_FALSE(a.is_outstanding(3) || a.is_outstanding(0xffff));
  b.serve(false);
  tell(b, a);
  EXPECT_EQ(a.credits(), 1u);
  EXPECT_FALSE(a.is_outstanding(0));
}

TEST(Credits, WhoeverWaitsIsToldAtOnce) {
  Credits a, b;
  a.open(32);
  b.open(32);
  a.take_credit();
  b.serve(true);
  EXPECT_TRUE(b.ack_due());
  tell(b, a);
}

TEST(Credits, EachRequestIsReportedOnceInOrder) {
  Credits a;
  a.open(8);
  for (unsigned i = 0; i < 5; ++i) a.take_credit();
  std::uint16_t next = 0;
  const auto served = [&](std::uint16_t number) { EXPECT_EQ(number, next++); };
  EXPECT_TRUE(a.on_ack(2, served));
  EXPECT_TRUE(a.on_ack(2, served));
  EXPECT_TRUE(a.on_ack(5, served));
  EXPECT_FALSE(a.on_ack(6, served));
  EXPECT_EQ(next, 5);
}

TEST(Credits, RefusesImpossibleCounts) {
  Credits a;
  a.open(8);
  EXPECT_TRUE(a.on_ack(0));
  EXPECT_FALSE(a.on_ack(1));  // nothing was sent
  a.take_credit();
  EXPECT_FALSE(a.on_ack(2));
  EXPECT_FALSE(a.on_ack(0xffff));
  EXPECT_TRUE(a.on_ack(1));
  EXPECT_FALSE(a.on_unsolicited_ack(1));
  a.unsolicited_sent();
  EXPECT_TRUE(a.on_unsolicited_ack(1));
  EXPECT_FALSE(a.on_unsolicited_ack(0));
}

TEST(Credits, ExtraRepliesAloneAreToldOf) {
  Credits a, b;
  a.open(32);
  b.open(32);
  for (unsigned round = 0; round < 1000; ++round) {
    ASSERT_TRUE(a.may_send_unsolicited());
    a.unsolicited_sent();
    b.unsolicited_processed();
    if (b.ack_due()) tell(b, a);
  }
}

TEST(Credits, WindowsShrinkInLargeJobs) {
  EXPECT_EQ(credit_limit_for(1), kMaxCredits);
  EXPECT_EQ(credit_limit_for(2), kMaxCredits);
  unsigned last = kMaxCredits;
  for (unsigned processes = 2; processes < 100000; processes += 1 + processes / 7) {
    const unsigned window = credit_limit_for(processes);
    EXPECT_EQ(window & (window - 1), 0u);
    EXPECT_LE(window, last);
    EXPECT_GE(window, kMinCredits);
    EXPECT_TRUE(window == kMinCredits || std::size_t{window} * (processes - 1) <= kTargetReceives);
    last = window;
  }
  EXPECT_EQ(last, kMinCredits);
}

}  // namespace
}  // namespace upcr

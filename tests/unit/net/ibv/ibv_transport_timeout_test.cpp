// SPDX-License-Identifier: BSD-3-Clause
// The ack timeout and the retry count of queue pairs. InfiniBand: a queue pair sends a packet retry_count + 1
// times, 4.096 us * 2^timeout apart; timeout has 5 bits and retry_count 3, of which Linux' rxe takes 7 as
// "never give up".
#include "conduits/net/ibv/connector/transport_timeout.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace upcr::ibv {
namespace {

double seconds_of(const TransportTimeout& t) {
  return 4.096e-6 * std::pow(2.0, t.ack_timeout) * (t.retry_count + 1);
}

TEST(IbvTransportTimeout, IsAtLeastWhatWasAskedForAndLittleMore) {
  for (int seconds = 1; seconds <= 3600; ++seconds) {
    const TransportTimeout t = transport_timeout_for(seconds);
    EXPECT_GE(seconds_of(t), seconds);
    EXPECT_LE(seconds_of(t), seconds * 1.25);
    EXPECT_DOUBLE_EQ(t.seconds(), seconds_of(t));
    EXPECT_LT(t.retry_count, 7);
    EXPECT_GE(t.retry_count, 3);
    EXPECT_GT(t.ack_timeout, 0) << "0 is no time-out at all";
    EXPECT_LT(t.ack_timeout, 32);
  }
}

TEST(IbvTransportTimeout, SomeValues) {
  struct Expected {
    int seconds, ack_timeout, retry_count;
  };
  for (const Expected e : {Expected{4, 18, 3}, {15, 19, 6}, {30, 20, 6}, {60, 21, 6}, {3600, 27, 6}}) {
    EXPECT_EQ(transport_timeout_for(e.seconds).ack_timeout, e.ack_timeout) << e.seconds;
    EXPECT_EQ(transport_timeout_for(e.seconds).retry_count, e.retry_count) << e.seconds;
  }
}

}  // namespace
}  // namespace upcr::ibv

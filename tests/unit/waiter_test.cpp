// SPDX-License-Identifier: BSD-3-Clause
// Waiter: when a waiting thread looks again, and when it sleeps.
#include <gtest/gtest.h>

#include "conduits/core/progress.hpp"

namespace upcr {
namespace {

int looks_before_sleep(Waiter& waiter) {
  int looks = 0;
  while (!waiter.pause()) ++looks;
  return looks;
}

TEST(Waiter, SleepsAfterLookingInVainForAWhile) {
  Waiter waiter(0, {"test"});
  EXPECT_GT(looks_before_sleep(waiter), 20);
  EXPECT_TRUE(waiter.pause());
}

// A thread that serves its peers while it waits is awake for the next message too.
TEST(Waiter, DoesNotSleepBetweenMessages) {
  Waiter waiter(0, {"test"});
  for (int message = 0; message < 100; ++message) {
    EXPECT_GT(looks_before_sleep(waiter), 20);
    waiter.busy();
  }
}

// Spinning in vain makes the next spin shorter, success longer; there is always some.
TEST(Waiter, LearnsHowLongToSpin) {
  int before = 1 << 30;
  for (int i = 0; i < 20; ++i) {
    Waiter waiter(0, {"test"});
    const int looks = looks_before_sleep(waiter);
    EXPECT_LE(looks, before);
    before = looks;
  }
  for (int i = 0; i < 3; ++i) {
    Waiter waiter(0, {"test"});
    EXPECT_FALSE(waiter.pause());
    waiter.success();
  }
  Waiter waiter(0, {"test"});
  EXPECT_GT(looks_before_sleep(waiter), before);
}

}  // namespace
}  // namespace upcr

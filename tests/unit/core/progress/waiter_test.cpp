// SPDX-License-Identifier: BSD-3-Clause
// Waiter: when a waiting thread polls again, and when it sleeps.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "conduits/core/progress/progress.hpp"

namespace {
int yields = 0;
}
// Replaces the C library's function: counts its calls.
extern "C" int sched_yield() {
  ++yields;
  return static_cast<int>(::syscall(SYS_sched_yield));
}

namespace upcr {
namespace {

ProgressEngine progress;

int pauses_before_sleep(Waiter& waiter) {
  int pauses = 0;
  while (!waiter.pause()) ++pauses;
  return pauses;
}

TEST(Waiter, SleepsAfterUnsuccessfulPolls) {
  Waiter waiter(progress, 0, {"test"});
  EXPECT_GT(pauses_before_sleep(waiter), 20);
  EXPECT_TRUE(waiter.pause());
}

// A thread that has just processed a message keeps polling for the next one.
TEST(Waiter, DoesNotSleepBetweenMessages) {
  Waiter waiter(progress, 0, {"test"});
  for (int message = 0; message < 100; ++message) {
    EXPECT_GT(pauses_before_sleep(waiter), 20);
    waiter.busy();
  }
}

// An unsuccessful spin makes the next one shorter, a successful one longer; it never becomes 0.
TEST(Waiter, LearnsHowLongToSpin) {
  int before = 1 << 30;
  for (int i = 0; i < 20; ++i) {
    Waiter waiter(progress, 0, {"test"});
    const int pauses = pauses_before_sleep(waiter);
    EXPECT_LE(pauses, before);
    before = pauses;
  }
  for (int i = 0; i < 3; ++i) {
    Waiter waiter(progress, 0, {"test"});
    EXPECT_FALSE(waiter.pause());
    waiter.success();
  }
  Waiter waiter(progress, 0, {"test"});
  EXPECT_GT(pauses_before_sleep(waiter), before);
}

// More threads than CPUs.
class Oversubscribed : public testing::Test {
 protected:
  static constexpr int kYields = 20, kWaits = 100;
  static void set_policy(bool processes_fit) { progress.set_policy({.processes_fit = processes_fit}); }
  void SetUp() override {
    set_policy(false);
    (void)longest();  // learns that spinning does not pay
  }
  void TearDown() override { progress.set_policy({}); }
  static int longest() {
    int most = 0;
    for (int i = 0; i < kWaits; ++i) {
      Waiter waiter(progress, 0, {"test"});
      most = std::max(most, pauses_before_sleep(waiter));
    }
    return most;
  }
  static int shortest(int waits) {
    int least = 1 << 30;
    for (int i = 0; i < waits; ++i) {
      Waiter waiter(progress, 0, {"test"});
      least = std::min(least, pauses_before_sleep(waiter));
    }
    return least;
  }
  static void spinning_pays() {
    for (int i = 0; i < kWaits; ++i) {
      Waiter waiter(progress, 0, {"test"});
      for (int i = 0; i < 10; ++i) (void)waiter.pause();
      waiter.success();
    }
  }
};

TEST_F(Oversubscribed, YieldsAtOnceWhereProcessesShareCpus) { EXPECT_LE(longest(), kYields + 2); }

// From time to time it spins for as long as a reply takes, but not for longer.
TEST_F(Oversubscribed, TriesWhetherAnotherProcessRuns) {
  set_policy(true);
  const int most = longest();
  EXPECT_GE(most, kYields + 10);
  EXPECT_LE(most, kYields + 100);
}

// Once that pays it goes on, until it does not.
TEST_F(Oversubscribed, GoesOnSpinningWhereItPays) {
  set_policy(true);
  spinning_pays();
  for (int i = 0; i < 3; ++i) {  // more than one of them is no trial
    Waiter waiter(progress, 0, {"test"});
    const int pauses = pauses_before_sleep(waiter);
    EXPECT_GT(pauses, kYields + 4);
    EXPECT_LE(pauses, kYields + 100);  // the thread that it waits for may need this CPU
  }
  EXPECT_LE(shortest(kWaits), kYields + 2);
}

// A wait that slept does not count as a spin, even if its condition holds soon after the sleep.
TEST_F(Oversubscribed, ASleepIsNoReasonToSpin) {
  set_policy(true);
  spinning_pays();
  for (int i = 0; i < kWaits; ++i) {
    Waiter waiter(progress, 0, {"test"});
    (void)pauses_before_sleep(waiter);
    waiter.slept(true);
    waiter.success();
  }
  EXPECT_LE(shortest(3), kYields + 2);
}

class WaitPolicies : public testing::Test {
 protected:
  static void set_policy(bool network, bool cpus_to_spare) {
    progress.set_policy({network, cpus_to_spare, true});
  }
  void TearDown() override { progress.set_policy({}); }
};
class OverNetwork : public WaitPolicies {
 protected:
  static void set_policy(bool cpus_to_spare) { WaitPolicies::set_policy(true, cpus_to_spare); }
};

// The time until it would nap or sleep.
std::chrono::nanoseconds idle_time(Waiter& waiter) {
  const auto start = std::chrono::steady_clock::now();
  while (!waiter.pause()) continue;
  return std::chrono::steady_clock::now() - start;
}

TEST_F(WaitPolicies, SpinsForLongWithACpuToItself) {
  for (const bool network : {false, true}) {
    set_policy(network, true);
    for (int i = 0; i < 20; ++i) {  // and does not learn to give up
      Waiter waiter(progress, 0, {"test"});
      EXPECT_GE(idle_time(waiter), std::chrono::milliseconds(1));
      EXPECT_TRUE(waiter.pause());
    }
  }
}

// Only a thread whose doorbell was rung spins for long again: a thread that is not needed for a minute uses
// next to no CPU.
TEST_F(WaitPolicies, SleepsOnUnlessRung) {
  for (const bool cpus_to_spare : {false, true}) {
    set_policy(false, cpus_to_spare);
    Waiter waiter(progress, 0, {"test"});
    (void)pauses_before_sleep(waiter);
    for (int i = 0; i < 3; ++i) {
      waiter.slept(false);
      EXPECT_EQ(pauses_before_sleep(waiter), 0);
    }
    waiter.slept(true);
    EXPECT_GT(pauses_before_sleep(waiter), 10);
  }
}

// Over shared memory a thread without a CPU to itself, or in a background wait, sleeps after a few polls.
TEST_F(WaitPolicies, SleepsSoonWithoutACpu) {
  for (const bool background : {false, true}) {
    set_policy(false, background);
    int pauses = 0;
    for (int i = 0; i < 20; ++i) {  // until it has learnt that spinning does not pay
      Waiter waiter(progress, 0, {"test"});
      if (background) waiter.set_background();
      pauses = pauses_before_sleep(waiter);
    }
    EXPECT_LE(pauses, 50);
  }
}

TEST_F(OverNetwork, SpinsOnAfterAMessage) {
  set_policy(true);
  Waiter waiter(progress, 0, {"test"});
  for (int message = 0; message < 3; ++message) {
    EXPECT_GE(idle_time(waiter), std::chrono::milliseconds(1));
    waiter.busy();
  }
}

// Without a CPU to itself, or in the background, it yields at once: time that other threads used counts too.
TEST_F(OverNetwork, NapsSoonWithoutACpu) {
  for (const bool background : {false, true}) {
    set_policy(background);
    Waiter waiter(progress, 0, {"test"});
    if (background) waiter.set_background();
    EXPECT_FALSE(waiter.pause());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(waiter.pause());
  }
}

// A poll that yields the CPU by itself is not followed by a second yield.
TEST_F(OverNetwork, YieldsUnlessThePollDoes) {
  for (const bool poll_yields : {false, true}) {
    progress.set_policy({true, false, true, false, false, poll_yields});
    Waiter waiter(progress, 0, {"test"});
    yields = 0;
    EXPECT_FALSE(waiter.pause());
    EXPECT_EQ(yields, poll_yields ? 0 : 1);
  }
}

}  // namespace
}  // namespace upcr

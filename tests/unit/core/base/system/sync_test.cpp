// SPDX-License-Identifier: BSD-3-Clause
// SpinLock between threads and processes; Doorbell across fork, in shared memory.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/base/system/futex.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "tests/support/child.hpp"

namespace upcr {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::ChildResult;
using test::run_child;

constexpr std::chrono::microseconds kLong = seconds(30);  // not reached unless the test fails

template <typename T>
T* make_shared() {
  void* at = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? nullptr : new (at) T;
}

TEST(SpinLock, TryLock) {
  SpinLock lock;
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST(SpinLock, ExcludesThreads) {
  SpinLock lock;
  long sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50000; ++i) {
        const std::lock_guard guard(lock);
        ++sum;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(sum, 200000);
}

TEST(SpinLock, ExcludesProcesses) {
  struct Shared {
    SpinLock lock;
    long sum = 0;
  };
  auto* shared = make_shared<Shared>();
  ASSERT_NE(shared, nullptr);
  const auto add = [=] {
    for (int i = 0; i < 50000; ++i) {
      const std::lock_guard guard(shared->lock);
      ++shared->sum;
    }
  };
  const ChildResult r = run_child(add, [&](int) { add(); });
  EXPECT_TRUE(r.exited(0));
  EXPECT_EQ(shared->sum, 100000);
  munmap(shared, sizeof *shared);
}

TEST(SpinLock, LockIfLocksOnlyWhenNeeded) {
  SpinLock lock;
  {
    const auto guard = lock_if(lock, false);
    EXPECT_TRUE(lock.try_lock());
    lock.unlock();
  }
  {
    const auto guard = lock_if(lock, true);
    EXPECT_FALSE(lock.try_lock());
  }
  EXPECT_TRUE(lock.try_lock());
}

TEST(Doorbell, DoesNotSleepWhenReady) {
  Doorbell bell;
  int checks = 0;
  bell.sleep([&] { return ++checks > 0; }, kLong);
  EXPECT_EQ(checks, 1);
}

TEST(Doorbell, WakesAfterTheLimit) {
  register_sleeper_process();
  Doorbell bell;
  const auto before = std::chrono::steady_clock::now();
  bell.sleep([] { return false; }, milliseconds(20));
  const auto slept = std::chrono::steady_clock::now() - before;
  EXPECT_LT(slept, seconds(30));
  // Without membarrier sleeps are cut short on purpose; and a sleep may always end early.
}

// Rung before, or not at all: the kernel reports both as errors, which errno must not show.
TEST(Doorbell, LeavesErrnoAlone) {
  Doorbell bell;
  errno = 0;
  bell.wait(bell.prepare_wait() + 1, std::chrono::seconds(20));
  EXPECT_EQ(errno, 0);
  bell.wait(bell.prepare_wait(), std::chrono::milliseconds(1));
  EXPECT_EQ(errno, 0);
}

TEST(Doorbell, RingWithoutSleepersIsHarmless) {
  Doorbell bell;
  for (int i = 0; i < 1000; ++i) bell.ring();
  bell.sleep([] { return false; }, milliseconds(1));
}

// A sleeper that its limit has woken goes on without a second prepare_wait(): it is still counted.
TEST(Doorbell, IsRungInItsSecondSleep) {
  register_sleeper_process();
  for (const bool symmetric : {false, true}) {
    Doorbell bell;
    if (symmetric) bell.make_symmetric();
    std::atomic<bool> go{false};
    std::uint32_t epoch = bell.prepare_wait();
    EXPECT_FALSE(bell.wait(epoch, milliseconds(1)));
    epoch = bell.prepare_again();
    std::thread other([&] {
      go.store(true, std::memory_order_release);
      bell.ring();
    });
    const auto before = std::chrono::steady_clock::now();
    while (!go.load(std::memory_order_acquire) && !bell.wait(epoch, kLong)) epoch = bell.prepare_again();
    EXPECT_LT(std::chrono::steady_clock::now() - before, kLong);
    bell.finish_wait();
    other.join();
  }
}

// Both choices of futex.hpp, between processes. The deadline is that of a lost ring.
class DoorbellOrder : public testing::TestWithParam<bool> {
 protected:
  static void choose(Doorbell& bell) {
    if (GetParam()) bell.make_symmetric();
  }
};

// Two processes pass a turn to each other and sleep in between: each pass needs its ring.
TEST_P(DoorbellOrder, PingPongBetweenProcesses) {
  struct Shared {
    Doorbell bells[2];
    std::atomic<unsigned> turn{0};
  };
  auto* shared = make_shared<Shared>();
  ASSERT_NE(shared, nullptr);
  for (Doorbell& bell : shared->bells) choose(bell);
  constexpr unsigned kThrows = 4000;
  // False when a sleep went to its limit: a ring was lost.
  const auto run_side = [=](unsigned me) {
    register_sleeper_process();
    for (unsigned mine = me; mine < kThrows; mine += 2) {
      const auto before = std::chrono::steady_clock::now();
      while (shared->turn.load(std::memory_order_acquire) != mine) {
        shared->bells[me].sleep([&] { return shared->turn.load(std::memory_order_acquire) == mine; }, kLong);
        if (std::chrono::steady_clock::now() - before >= kLong) return false;
      }
      shared->turn.store(mine + 1, std::memory_order_release);
      shared->bells[1 - me].ring();
    }
    return true;
  };
  bool own_passed = false;
  const ChildResult r =
      run_child([=] { _exit(run_side(1) ? 0 : 1); }, [&](int) { own_passed = run_side(0); });
  EXPECT_TRUE(own_passed && r.exited(0));
  EXPECT_EQ(shared->turn.load(), kThrows);
  munmap(shared, sizeof *shared);
}

TEST_P(DoorbellOrder, OneRingWakesAllProcesses) {
  struct Shared {
    Doorbell bell;
    std::atomic<int> asleep{0}, awake{0};
    std::atomic<bool> go{false};
  };
  auto* shared = make_shared<Shared>();
  ASSERT_NE(shared, nullptr);
  choose(shared->bell);
  register_sleeper_process();
  const ChildResult r = run_child(
      [=] {
        std::vector<int> pids;
        for (int i = 0; i < 3; ++i) {
          const int pid = fork();
          if (pid == 0) {
            register_sleeper_process();
            shared->asleep.fetch_add(1);
            const auto before = std::chrono::steady_clock::now();
            while (!shared->go.load()) shared->bell.sleep([&] { return shared->go.load(); }, kLong);
            if (std::chrono::steady_clock::now() - before < kLong) shared->awake.fetch_add(1);
            _exit(0);
          }
          pids.push_back(pid);
        }
        for (int pid : pids) waitpid(pid, nullptr, 0);
      },
      [=](int) {
        while (shared->asleep.load() < 3) std::this_thread::sleep_for(milliseconds(1));
        std::this_thread::sleep_for(milliseconds(20));  // most likely asleep by now; right in any case
        shared->go.store(true);
        shared->bell.ring();
      });
  EXPECT_TRUE(r.exited(0));
  EXPECT_EQ(shared->awake.load(), 3);
  munmap(shared, sizeof *shared);
}

// The race of the protocol itself: the sleeper counts itself and tests, while the other one stores and rings.
// A ring is lost if both have read the old value. Pauses move one side past the other.
TEST_P(DoorbellOrder, SleeperOrRingerSeesTheOther) {
  struct Shared {
    Doorbell bell;
    alignas(64) std::atomic<unsigned> go{0};
    alignas(64) std::atomic<unsigned> value{0};
  };
  auto* shared = make_shared<Shared>();
  ASSERT_NE(shared, nullptr);
  choose(shared->bell);
  constexpr unsigned kRounds = 20000;
  const auto wait_for = [](const std::atomic<unsigned>& word, unsigned wanted) {
    for (unsigned spins = 0; word.load(std::memory_order_acquire) < wanted; ++spins)
      if (spins % 64 == 63) sched_yield();
  };
  bool lost = false;
  const ChildResult r = run_child(
      [=] {
        register_sleeper_process();
        for (unsigned round = 1; round <= kRounds; ++round) {
          wait_for(shared->go, round);
          shared->value.store(round, std::memory_order_release);
          shared->bell.ring();
        }
        _exit(0);
      },
      [&](int) {
        register_sleeper_process();
        for (unsigned round = 1; round <= kRounds && !lost; ++round) {
          const auto before = std::chrono::steady_clock::now();
          shared->go.store(round, std::memory_order_release);
          for (unsigned pauses = round % 32; pauses != 0; --pauses) cpu_pause();
          const auto here = [&] { return shared->value.load(std::memory_order_acquire) == round; };
          while (!here() && !lost) {
            shared->bell.sleep(here, kLong);
            lost = std::chrono::steady_clock::now() - before >= kLong;
          }
        }
        if (lost) shared->go.store(kRounds);
      });
  EXPECT_FALSE(lost);
  EXPECT_TRUE(r.exited(0));
  munmap(shared, sizeof *shared);
}

INSTANTIATE_TEST_SUITE_P(, DoorbellOrder, testing::Bool(),
                         [](const auto& info) { return info.param ? "symmetric" : "asymmetric"; });

}  // namespace
}  // namespace upcr

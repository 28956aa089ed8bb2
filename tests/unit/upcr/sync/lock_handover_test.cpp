// SPDX-License-Identifier: BSD-3-Clause
// Passing a lock on (lock_handover.hpp): threads that compete for a lock made of the same parts; and a model
// of the protocol, of which every interleaving of two and of three threads is tried.
#include "upcr/sync/lock_handover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace upcr {
namespace {

// ---- threads ----

class Queue {
 public:
  void lock(LockNode& node) {
    const auto address = reinterpret_cast<std::uint64_t>(&node);
    node.state.store(kLockWaiting, std::memory_order_relaxed);
    const std::uint64_t before = tail_.exchange(address, std::memory_order_seq_cst);
    if (before == 0) return;
    const Grant grant = Grant::link(*reinterpret_cast<LockNode*>(before), node, address);
    while (!grant.over()) std::this_thread::yield();
  }
  void unlock(LockNode& node) {
    std::uint64_t tail = reinterpret_cast<std::uint64_t>(&node);
    if (tail_.compare_exchange_strong(tail, 0, std::memory_order_seq_cst)) return;
    while (node.next.load(std::memory_order_acquire) == 0) std::this_thread::yield();
    ASSERT_TRUE(watches(node, pass_on(node)));
  }

 private:
  std::atomic<std::uint64_t> tail_{0};
};

// Each thread has one node for both locks, one after the other.
TEST(LockHandover, ThreadsExcludeEachOther) {
  constexpr unsigned kThreads = 4, kRounds = 2000;
  std::array<Queue, 2> locks;
  std::array<std::uint64_t, 2> counts{};
  std::vector<LockNode> nodes(kThreads);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < kRounds; ++i) {
        const unsigned which = (i + t) % 2;
        locks[which].lock(nodes[t]);
        ++counts[which];
        locks[which].unlock(nodes[t]);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counts[0] + counts[1], std::uint64_t{kThreads} * kRounds);
}

// A node that a remote predecessor grants, or whose lock is freed.
TEST(LockHandover, GrantInTheOwnNode) {
  LockNode own{};
  own.state = kLockWaiting;
  const Grant grant(own);
  EXPECT_FALSE(grant.over());
  own.state = kLockGranted;
  EXPECT_TRUE(grant.over());
  own.state = kLockFreed;
  EXPECT_TRUE(grant.over());
}

// ---- model ----
//
// Each access to a shared word is a step. Threads have one node each and acquire the lock some times.

enum Step : std::uint8_t { kSwap, kWatch, kLink, kWait, kHold, kPass, kClose, kAwaitNext, kDone };

struct Model {
  static constexpr unsigned kMost = 3;
  struct Node {
    std::uint8_t next = 0, watcher = 0;
    // clang-tidy 14 takes the 0 of a defaulted operator<=> for a pointer.
    auto operator<=>(const Node&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  struct Thread {
    std::uint8_t step = kSwap, before = 0, rounds = 0;
    auto operator<=>(const Thread&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  std::uint8_t tail = 0;   // number of a node, from 1; 0: none
  bool unwatched = false;  // a successor that watches was taken for one that does not
  std::array<Node, kMost + 1> nodes{};
  std::array<Thread, kMost + 1> threads{};
  auto operator<=>(const Model&) const = default;  // NOLINT(modernize-use-nullptr)

  bool can_step(unsigned t) const {
    const Thread& x = threads[t];
    if (x.step == kWait) return nodes[x.before].next != t;
    if (x.step == kAwaitNext) return nodes[t].next != 0;
    return x.step != kDone;
  }
  void released(unsigned t) { threads[t].step = --threads[t].rounds == 0 ? kDone : kSwap; }
  // `late`: a wrong protocol, in which a thread is linked before it is known to watch.
  void step(unsigned t, bool late) {
    Thread& x = threads[t];
    const auto number = static_cast<std::uint8_t>(t);
    switch (x.step) {
      case kSwap:
        x.before = std::exchange(tail, number);
        x.step = x.before == 0 ? kHold : late ? kLink : kWatch;
        break;
      case kWatch:
        nodes[x.before].watcher = number;
        x.step = late ? kWait : kLink;
        break;
      case kLink:
        nodes[x.before].next = number;
        x.step = late ? kWatch : kWait;
        break;
      case kWait:
        x.step = kHold;
        break;
      case kHold:
        x.step = kPass;
        break;
      case kPass:
        if (const std::uint8_t next = std::exchange(nodes[t].next, 0); next == 0) {
          x.step = kClose;
        } else {
          unwatched = unwatched || nodes[t].watcher != next;
          released(t);
        }
        break;
      case kClose:
        if (tail == t) {
          tail = 0;
          released(t);
        } else {
          x.step = kAwaitNext;
        }
        break;
      case kAwaitNext:
        x.step = kPass;
        break;
      default:
        break;
    }
  }
};

struct Outcome {
  std::size_t states = 0;
  unsigned most_holders = 0;
  bool stuck = false, unwatched = false;
};

Outcome explore(unsigned threads, unsigned rounds, bool late = false) {
  Model start;
  for (unsigned t = 1; t <= threads; ++t) start.threads[t].rounds = static_cast<std::uint8_t>(rounds);
  std::set<Model> seen{start};
  std::vector<Model> todo{start};
  Outcome outcome;
  while (!todo.empty()) {
    const Model now = todo.back();
    todo.pop_back();
    unsigned holders = 0, waiting = 0;
    bool moves = false;
    for (unsigned t = 1; t <= threads; ++t) {
      const std::uint8_t step = now.threads[t].step;
      holders += step >= kHold && step < kDone ? 1 : 0;
      waiting += step != kDone ? 1 : 0;
      if (!now.can_step(t)) continue;
      moves = true;
      Model next = now;
      next.step(t, late);
      if (seen.insert(next).second) todo.push_back(next);
    }
    outcome.most_holders = std::max(outcome.most_holders, holders);
    outcome.unwatched = outcome.unwatched || now.unwatched;
    outcome.stuck = outcome.stuck || (!moves && waiting != 0);
  }
  outcome.states = seen.size();
  return outcome;
}

TEST(LockHandoverModel, EveryInterleavingEndsAndExcludes) {
  for (const auto& [threads, rounds] : {std::pair{2u, 4u}, std::pair{3u, 2u}}) {
    const Outcome outcome = explore(threads, rounds);
    EXPECT_GT(outcome.states, 100u);
    EXPECT_EQ(outcome.most_holders, 1u);
    EXPECT_FALSE(outcome.stuck);
    EXPECT_FALSE(outcome.unwatched);
  }
}

TEST(LockHandoverModel, FindsALostGrant) { EXPECT_TRUE(explore(2, 2, true).unwatched); }

}  // namespace
}  // namespace upcr

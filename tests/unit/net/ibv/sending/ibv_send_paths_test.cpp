// SPDX-License-Identifier: BSD-3-Clause
// Several send paths of a process, and the locks of threads that send and of the one that polls, over queue
// pairs without a device (tests/support/ibv_queue_pair.hpp).
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "conduits/net/ibv/sending/conduit_guard.hpp"
#include "conduits/net/ibv/sending/send_paths.hpp"
#include "tests/support/ibv_queue_pair.hpp"

namespace upcr::ibv {
namespace {

struct Process {
  explicit Process(unsigned count, unsigned peers, unsigned depth = 64, unsigned room = 256) : rooms(count) {
    paths.open(connections, false, false, count);
    for (CompletionRoom& r : rooms) r.open(room);
    for (Rank peer = 0; peer < peers; ++peer) {
      SendPath& path = paths.of(peer);
      pairs.push_back(std::make_unique<FakeQueuePair>(path, rooms[path.index()], depth));
      pairs.back()->link.rank = peer;
    }
  }
  // Under the lock of the path.
  void put(FakeQueuePair& pair, Pending& done, bool in_run = false) {
    SendPath& path = *pair.link.path;
    Operation* const op = path.begin(pair.link, OperationKind::kPut);
    ibv_send_wr write{};
    write.opcode = IBV_WR_RDMA_WRITE;
    op->done = &done;
    done.add();
    if (in_run)
      path.post_in_run(pair.link, write, op);
    else
      path.post_signalled(pair.link, write, op);
  }
  // The device processes what has been posted, and this process sees the completions. Under both locks.
  void process_all(FakeQueuePair& pair) {
    SendPath& path = *pair.link.path;
    while (!pair.posted.empty())
      if (const auto completion = pair.process_one(); completion)
        path.retire(*pointer_of<Operation>(*completion), [&](Operation* op) {
          if (op->done != nullptr) op->done->complete();
          path.end(*op);
        });
  }

  SpinLock lock;
  Connections connections;
  SendPaths paths;
  std::vector<CompletionRoom> rooms;
  std::vector<std::unique_ptr<FakeQueuePair>> pairs;
};

bool is_free(SpinLock& lock) {
  const std::unique_lock guard(lock, std::try_to_lock);
  return guard.owns_lock();
}

TEST(IbvSendPaths, EveryPeerHasOne) {
  Process process(4, 11);
  std::vector<unsigned> peers(4);
  for (Rank peer = 0; peer < 11; ++peer) ++peers[process.paths.of(peer).index()];
  for (const unsigned n : peers) EXPECT_GE(n, 2u);
}

// Ranks at any power of two from each other are on different paths: partners at the same place on each host,
// as of a transposition or a ring over hosts. Those of an exchange, which differ by one bit, have three.
TEST(IbvSendPaths, PartnersAtAnyDistanceAreSpread) {
  constexpr Rank kMostRanks = 1U << 24;
  Process process(SendPaths::kMost, 0);
  const auto paths_of = [&process](const std::vector<Rank>& partners) {
    std::set<unsigned> used;
    for (const Rank partner : partners) used.insert(process.paths.of(partner).index());
    return used.size();
  };
  for (Rank step = 1; step <= kMostRanks / SendPaths::kMost; step *= 2)
    for (const Rank first : {0U, step - 1}) {
      std::vector<Rank> partners;
      for (Rank i = 0; i < SendPaths::kMost; ++i) partners.push_back(first + i * step);
      EXPECT_EQ(paths_of(partners), SendPaths::kMost) << "from " << first << " by " << step;
    }
  for (const Rank self : {0U, 4095U, 5'000'000U}) {
    std::vector<Rank> partners;
    for (Rank bit = 1; bit < kMostRanks; bit *= 2) partners.push_back(self ^ bit);
    EXPECT_EQ(paths_of(partners), 3u) << self;
  }
}

// A device may take long to accept a request. Other threads send to other peers meanwhile, and poll.
TEST(IbvSendPaths, OthersSendWhileTheDeviceTakesARequest) {
  Process process(2, 2);
  FakeQueuePair &slow = *process.pairs[0], &other = *process.pairs[1];
  Pending done;
  slow.in_call = [&] {
    EXPECT_FALSE(is_free(slow.link.path->lock()));
    std::unique_lock guard(other.link.path->lock(), std::try_to_lock);
    ASSERT_TRUE(guard.owns_lock());
    process.put(other, done);
    guard.unlock();
    ConduitGuard polling(process.lock, process.paths, true);
    polling.enter(*other.link.path);
    process.process_all(other);
  };
  {
    const std::lock_guard guard(slow.link.path->lock());
    process.put(slow, done);
  }
  EXPECT_EQ(other.processed.size(), 1u);
  EXPECT_EQ(done.n.load(), 1u);
}

TEST(IbvSendPaths, AGuardHoldsWhatItHasEntered) {
  Process process(4, 4);
  const auto held = [&process] {
    std::vector<bool> held;
    for (SendPath& path : process.paths.all()) held.push_back(!is_free(path.lock()));
    return held;
  };
  using Held = std::vector<bool>;
  const auto all = process.paths.all();
  {
    ConduitGuard guard(process.lock, process.paths, true);
    EXPECT_EQ(held(), Held({false, false, false, false}));
    guard.enter(all[1]);
    EXPECT_EQ(held(), Held({false, true, false, false}));
    guard.enter(all[2]);
    EXPECT_EQ(held(), Held({false, false, true, false}));
    guard.unlock();  // while a handler runs
    EXPECT_TRUE(is_free(process.lock));
    EXPECT_EQ(held(), Held({false, false, false, false}));
    guard.lock();
    EXPECT_FALSE(is_free(process.lock));
    EXPECT_EQ(held(), Held({false, false, true, false}));
    guard.enter_all();
    EXPECT_EQ(held(), Held({true, true, true, true}));
    guard.enter(all[3]);
    EXPECT_EQ(held(), Held({false, false, false, true}));
    guard.leave();
    EXPECT_EQ(held(), Held({false, false, false, false}));
    guard.enter_all();
  }
  EXPECT_TRUE(is_free(process.lock));
  EXPECT_EQ(held(), Held({false, false, false, false}));
}

TEST(IbvSendPaths, AProcessWithOneThreadTakesNoLock) {
  Process process(1, 1);
  ConduitGuard guard(process.lock, process.paths, false);
  EXPECT_FALSE(guard.owns_lock());
  guard.enter(process.paths.of(0));
  EXPECT_TRUE(is_free(process.paths.of(0).lock()));
  guard.enter_all();
  EXPECT_TRUE(is_free(process.paths.of(0).lock()));
  EXPECT_TRUE(is_free(process.lock));
}

// A batch is that of one peer: other paths' go on.
TEST(IbvSendPaths, EachHasABatch) {
  Process process(2, 2);
  Pending done;
  ibv_send_wr write{};
  ibv_sge nothing{};
  write.opcode = IBV_WR_RDMA_WRITE;
  write.sg_list = &nothing;
  write.num_sge = 1;
  for (const auto& pair : process.pairs) {
    SendPath& path = *pair->link.path;
    path.begin_batch(pair->link.rank);
    for (int i = 0; i < 2; ++i)
      path.post_in_batch(pair->link, write, path.begin(pair->link, OperationKind::kPut));
    EXPECT_TRUE(path.waits_for_poll());
  }
  EXPECT_EQ(process.pairs[0]->calls + process.pairs[1]->calls, 0u);
  EXPECT_TRUE(process.paths.needs_poll(true));
  for (SendPath& path : process.paths.all()) path.post_batch();
  for (const auto& pair : process.pairs) EXPECT_EQ(pair->calls, 1u);
  EXPECT_FALSE(process.paths.needs_poll(true));
}

// Four threads send to five peers, with short queues, while one polls. The device gets the requests of each
// peer in the order of their numbers, by which they are taken for complete; and all complete.
TEST(IbvSendPaths, SeveralThreadsSendWhileOnePolls) {
  constexpr unsigned kThreads = 4, kPuts = 5'000, kPeers = 5;
  Process process(4, kPeers, 16, 32);
  std::atomic<unsigned> sending{kThreads};
  Pending done[kThreads];
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (unsigned i = 0; i < kPuts;) {
        FakeQueuePair& pair = *process.pairs[random() % kPeers];
        SendPath& path = *pair.link.path;
        {
          const std::lock_guard guard(path.lock());
          if (path.has_room(pair.link)) {
            process.put(pair, done[t], random() % 2 == 0);
            ++i;
            continue;
          }
        }
        std::this_thread::yield();
      }
      --sending;
    });
  std::vector<std::uint16_t> numbers(kPeers);
  const auto poll = [&] {
    ConduitGuard guard(process.lock, process.paths, true);
    for (const auto& pair : process.pairs) {
      guard.enter(*pair->link.path);
      for (const FakeQueuePair::Request& request : pair->posted)
        ASSERT_EQ(pointer_of<Operation>(request.id)->number, ++numbers[pair->link.rank]);
      process.process_all(*pair);
    }
    for (SendPath& path : process.paths.all()) {
      if (!path.waits_for_poll()) continue;
      guard.enter(path);
      path.signal_last(true);
    }
  };
  while (sending != 0) {
    poll();
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 3; ++i) poll();
  for (const Pending& pending : done) EXPECT_TRUE(pending.done());
  for (const CompletionRoom& room : process.rooms) {
    EXPECT_EQ(room.room(), 32u);
    EXPECT_FALSE(room.is_busy());
  }
}

// Each path has room for what its peers may have in progress, or enough of it, and for what one of them may;
// there are fewer paths where completion queues are short.
TEST(IbvSendPaths, ThereAreAsManyAsCompletionQueuesHaveRoomFor) {
  Limits limits;
  limits.srq = true;
  limits.max_receives = 32767;
  limits.max_send = 16384;
  limits.max_completions = 4'000'000;
  Depths depths;
  depths.credits = 32;
  for (const unsigned peers : {1u, 2u, 3u, 7u, 100u, 10'000u})
    for (const auto& [send, paths] : {std::pair{2u, 8u}, {64u, 8u}, {256u, 8u}, {1024u, 2u}, {4096u, 1u}}) {
      depths.peers = peers;
      depths.send = send;
      EXPECT_EQ(DeviceQueues::paths_for(limits, depths, 8), paths) << peers << " peers, " << send;
    }
  depths.peers = 100;
  depths.send = 64;
  for (limits.max_completions = 256; limits.max_completions < 100'000; limits.max_completions *= 2) {
    const unsigned paths = DeviceQueues::paths_for(limits, depths, 8);
    if (paths != 1) {
      EXPECT_GE(limits.max_completions, paths * DeviceQueues::kFairRoom);
    }
    if (limits.max_completions > 1024) {
      EXPECT_EQ(paths, 8u);
    }
  }
}

}  // namespace
}  // namespace upcr::ibv

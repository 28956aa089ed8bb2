// SPDX-License-Identifier: BSD-3-Clause
// Parts of the ibv conduit that need no verbs: room in a send queue, the pool of operations, the growth of a
// completion queue, which writes a read on iWARP flushes, and copies of held requests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "conduits/net/ibv/queues/completion_queue.hpp"
#include "conduits/net/ibv/queues/flush_queue.hpp"
#include "conduits/net/ibv/queues/operations.hpp"
#include "conduits/net/ibv/queues/packet_copies.hpp"
#include "conduits/net/ibv/queues/send_queue.hpp"

namespace upcr::ibv {
namespace {

// A queue pair: work requests complete in order, and report it if they were asked to.
TEST(IbvSendQueue, CountsAllUntilACompletionCoversThem) {
  for (const unsigned depth : {2u, 3u, 8u, 64u, 1000u, 32768u}) {
    std::mt19937 random(depth);
    SendQueue queue;
    queue.open(depth);
    struct Request {
      std::uint16_t number;
      bool signalled;
    };
    std::deque<Request> posted;
    for (int step = 0; step < 200'000; ++step) {
      ASSERT_EQ(queue.room(), depth - posted.size());
      ASSERT_EQ(queue.empty(), posted.empty());
      if (random() % 2 == 0 && queue.room() != 0) {
        const bool signalled = queue.needs_signal() || random() % 8 == 0;
        const std::uint16_t number = queue.post(signalled);
        ASSERT_EQ(number, queue.last());
        posted.push_back({number, signalled});
        continue;
      }
      // The next completion, where one was asked for.
      std::size_t covered = 0;
      while (covered < posted.size() && !posted[covered].signalled) ++covered;
      if (covered == posted.size()) continue;
      const std::uint16_t number = posted[covered].number;
      ASSERT_EQ(queue.retire(number), covered + 1);
      ASSERT_EQ(queue.retire(number), 0u);  // once
      posted.erase(posted.begin(), posted.begin() + static_cast<std::ptrdiff_t>(covered) + 1);
    }
  }
}

TEST(IbvSendQueue, NeverFillsUpWithUnsignalledRequests) {
  for (const unsigned depth : {2u, 7u, 8u, 9u, 64u, 4096u}) {
    SendQueue queue;
    queue.open(depth);
    std::vector<std::uint16_t> signalled;
    while (queue.room() != 0) {
      const bool asks = queue.needs_signal();
      const std::uint16_t number = queue.post(asks);
      if (asks) signalled.push_back(number);
    }
    ASSERT_GE(signalled.size(), 2u) << depth;
    ASSERT_GT(queue.retire(signalled.back()), depth / 2);
  }
}

TEST(IbvSendQueue, AsksWhenItIsToldTo) {
  SendQueue queue;
  queue.open(64);
  EXPECT_FALSE(queue.needs_signal());
  queue.request_signal();
  EXPECT_TRUE(queue.needs_signal());
  queue.post(true);
  EXPECT_FALSE(queue.needs_signal());
}

TEST(IbvOperations, GivesOutEachOnceAndClean) {
  Operations pool;
  std::set<Operation*> taken;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 1000; ++i) {  // more than are allocated at once
      Operation* op = pool.acquire(nullptr, OperationKind::kGet);
      ASSERT_EQ(op->kind, OperationKind::kGet);
      ASSERT_EQ(op->buffer, nullptr);
      ASSERT_EQ(op->bytes, 0u);
      ASSERT_TRUE(taken.insert(op).second);
      op->buffer = reinterpret_cast<char*>(op);
      op->bytes = 7;
    }
    for (Operation* op : taken) pool.release(op);
    taken.clear();
  }
}

// Room for everything that may complete, and no more than a constant factor of that: with the 65,536
// processes a process that has talked with 30 of them does not pay for the others.
TEST(IbvCompletionQueue, GrowsWithTheConnections) {
  for (const std::size_t shared : {std::size_t{0}, std::size_t{32'767}}) {
    const CompletionNeeds needs{2048, 95, 2, shared};
    std::size_t entries = needs.entries(2), resized = 0;
    for (std::size_t links = 1; links <= 65'535; ++links) {
      const std::size_t receives = shared != 0 ? std::min<std::size_t>(95 * links, shared) : 95 * links;
      ASSERT_GE(needs.entries(links), 2048 + 2 * links + receives);
      if (needs.entries(links) > entries) {
        entries = needs.grown(links, 1 << 30);
        ++resized;
      }
      ASSERT_GE(entries, needs.entries(links));
      ASSERT_LE(entries, 2 * needs.entries(links) + needs.entries(2));
      if (links == 30) {
        EXPECT_LE(entries * 64, std::size_t{1} << 20);  // bytes
      }
    }
    EXPECT_LE(resized, 20u);
  }
}

TEST(IbvCompletionQueue, GrowsNoFurtherThanTheDeviceAllows) {
  const CompletionNeeds needs{16, 95, 2, 0};
  EXPECT_EQ(needs.grown(11, 1500), 1500u);
  EXPECT_EQ(needs.grown(15, 1500), 1500u);
  EXPECT_EQ(needs.grown(16, 1500), 0u);
}

// Writes are in place when a read posted behind them is complete: against a model of the wire.
TEST(IbvFlushQueue, CompletesWritesThatAReadWasPostedBehind) {
  std::mt19937 random(7);
  std::vector<Operation> writes(500);
  FlushQueue queue;
  std::size_t posted = 0, over = 0;
  std::deque<std::size_t> reads;  // under way: how many writes each was posted behind
  for (int step = 0; over < writes.size(); ++step) {
    ASSERT_LT(step, 100'000);
    if (posted < writes.size() && random() % 3 != 0) {
      const bool read = queue.written(&writes[posted++]);
      ASSERT_EQ(read, reads.empty());  // one at a time, and never none
      if (read) reads.push_back(posted);
    } else if (!reads.empty()) {
      const std::size_t behind = reads.front();
      reads.pop_front();
      const bool more = queue.flushed([&](Operation* write) { ASSERT_EQ(write, &writes[over++]); });
      ASSERT_EQ(over, behind);
      ASSERT_EQ(more, over < posted);
      if (more) reads.push_back(posted);
    }
    ASSERT_EQ(queue.empty(), over == posted);
  }
  EXPECT_TRUE(reads.empty());
}

// iWARP: messages complete while writes before them wait for the read that covers them. There is an Operation
// wherever there is room, however often that happens.
TEST(IbvSendQueue, KeepsTheRoomOfWritesThatMessagesOvertake) {
  constexpr unsigned kDepth = 64;
  Operations pool;
  SendQueue queue;
  queue.open(kDepth);
  FlushQueue flush;
  unsigned writes = 0;
  for (int message = 0; message < 5; ++message) {
    for (int i = 0; i < 60 && queue.room() > 1; ++i, ++writes) {
      queue.post_unordered();
      (void)flush.written(pool.acquire(nullptr, OperationKind::kPut));
    }
    Operation* const sent = pool.acquire(nullptr, OperationKind::kMessage);
    sent->number = queue.post(true);
    ASSERT_EQ(queue.retire(sent->number), 1u);  // the message alone
    pool.release(sent);
    ASSERT_EQ(queue.room(), kDepth - writes);
    ASSERT_FALSE(queue.empty());
  }
  ASSERT_EQ(writes, kDepth - 1);
  const auto over = [&](Operation* write) {
    queue.retire_unordered();
    pool.release(write);
    --writes;
  };
  while (flush.flushed(over)) {
  }
  EXPECT_EQ(writes, 0u);
  EXPECT_TRUE(queue.empty());
}

TEST(IbvFlushQueue, WaitsForTheReadBehindLateWrites) {
  Operation writes[4];
  FlushQueue queue;
  EXPECT_TRUE(queue.written(&writes[0]));
  EXPECT_FALSE(queue.written(&writes[1]));
  int over = 0;
  const auto note = [&](Operation* write) {
    EXPECT_EQ(write, &writes[over]);
    ++over;
  };
  EXPECT_TRUE(queue.flushed(note));
  EXPECT_EQ(over, 1);
  EXPECT_FALSE(queue.written(&writes[2]));
  EXPECT_TRUE(queue.flushed(note));
  EXPECT_EQ(over, 2);
  EXPECT_FALSE(queue.flushed(note));
  EXPECT_EQ(over, 3);
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.flushed(note));
  EXPECT_TRUE(queue.written(&writes[3]));
}

// One receive buffer, which is used for the next packet as soon as its request is copied; requests of many
// lengths come and go. Each copy is what arrived, and memory grows no further than what was held at once.
TEST(IbvPacketCopies, LeaveTheReceiveBuffer) {
  std::mt19937 random(11);
  auto received = std::make_unique<ReceiveBuffer>();
  PacketCopies copies;
  struct Expected {
    ReceiveBuffer* copy;
    unsigned char fill;
    std::uint32_t bytes;
  };
  std::deque<Expected> held;
  std::size_t most = 0;
  unsigned char next = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (held.size() < 40 && random() % 2 == 0) {
      const auto bytes = static_cast<std::uint32_t>(1 + random() % kPacketBytes);
      std::memset(received->packet, ++next, bytes);
      received->bytes = bytes;
      received->from = reinterpret_cast<Link*>(std::uintptr_t{64} * next);
      held.push_back({copies.copy(*received), next, bytes});
      std::memset(received->packet, 0, sizeof received->packet);
      most = std::max(most, held.size());
    } else if (!held.empty()) {
      const auto [copy, fill, bytes] = held.front();
      held.pop_front();
      ASSERT_NE(copy, received.get());
      ASSERT_TRUE(PacketCopies::is_copy(*copy));
      ASSERT_FALSE(PacketCopies::is_copy(*received));
      ASSERT_EQ(copy->from, reinterpret_cast<Link*>(std::uintptr_t{64} * fill));
      ASSERT_EQ(copy->bytes, bytes);
      ASSERT_EQ(std::count(copy->packet, copy->packet + bytes, static_cast<char>(fill)), bytes);
      copies.release(copy);
    }
    ASSERT_LE(copies.allocated(), most);
  }
  EXPECT_GT(most, 1u);
}

}  // namespace
}  // namespace upcr::ibv

// SPDX-License-Identifier: BSD-3-Clause
// All rings of several processes, which are objects in one process here: whose message comes from whom and in
// which order, full rings both ways, how many packets a poll processes and from which senders.
#include "conduits/core/transport/rings/rings.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "conduits/core/model/topology.hpp"

namespace upcr {
namespace {

constexpr Rank kProcesses = 4;
constexpr unsigned kBudget = 32;
constexpr AmHeader kShort{1, 2, 0, 0, 0};  // two arguments: the number of the message, and its source
constexpr AmHeader kWide{1, kMaxAmArgs, 0, 0, 0};

// A process: receives packets, counts them, and replies to requests with their own arguments.
struct Process {
  void deliver_slot(const AmArrival& a) { deliver(a); }
  void deliver(const AmArrival& a) {
    const bool is_reply = (a.head.flags & kAmReply) != 0;
    auto& next = is_reply ? replies : requests;
    EXPECT_EQ(a.args[0], next[a.source])
        << (is_reply ? "reply" : "request") << " " << a.source << " to " << me;
    EXPECT_EQ(a.args[1], is_reply ? me : a.source);
    EXPECT_EQ(a.args[a.head.nargs == kMaxAmArgs ? kMaxAmArgs - 1 : 0], a.args[0]);
    ++next[a.source];
    if (is_reply || !replies_to_requests) return;
    AmHeader head = a.head;
    head.flags |= kAmReply;
    if (a.args[0] % 2 == 0)
      EXPECT_TRUE(rings.reply_slot(a.source, head, a.args));
    else
      EXPECT_EQ(rings.send(a.source, {.head = head, .args = a.args}), Status::kOk);
  }
  bool accepts_requests() const { return accepts; }
  unsigned poll() { return rings.poll(kBudget, *this); }

  // The next request to that process, every `wide`-th one with more arguments than a slot has.
  bool request(Rank to, std::uint32_t wide = 0) {
    std::array<std::uint32_t, kMaxAmArgs> args{sent[to], me};
    args.back() = sent[to];
    if (wide != 0 && sent[to] % wide == 0) {
      if (rings.send(to, {.head = kWide, .args = args.data()}) != Status::kOk) return false;
    } else if (!rings.request_slot(to, kShort, args.data())) {
      return false;
    }
    ++sent[to];
    return true;
  }
  void request_many(Rank to, unsigned n) {
    for (unsigned i = 0; i < n; ++i) ASSERT_TRUE(request(to));
  }

  Rings rings;
  Rank me = 0;
  bool accepts = true, replies_to_requests = true;
  std::array<std::uint32_t, kProcesses> sent{}, requests{}, replies{};  // of each other process
};

struct RingsFixture : ::testing::Test {
  explicit RingsFixture(bool multithreaded = false) {
    memory = ::mmap(nullptr, Rings::bytes(kProcesses), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    Topology t;
    t.size = kProcesses;
    t.first_slot = {0, 1, 3, 4, 6};  // some have two threads
    for (; t.rank < kProcesses; ++t.rank) {
      all[t.rank].me = t.rank;
      all[t.rank].rings.attach(memory, {0, t.size}, {0, t.size}, t, bells.get(), multithreaded, "test");
    }
  }
  ~RingsFixture() override { ::munmap(memory, Rings::bytes(kProcesses)); }
  void poll_all() {
    for (Process& p : all)
      while (p.poll() != 0) continue;
  }

  void* memory;
  std::unique_ptr<Doorbell[]> bells = std::make_unique<Doorbell[]>(6);
  std::array<Process, kProcesses> all;
};

// A process reads the rings of senders alone: those of all other pairs stay without memory.
TEST_F(RingsFixture, RingsWithoutSendersAreNotTouched) {
  const auto resident = [this] {
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> pages((Rings::bytes(kProcesses) + page - 1) / page);
    EXPECT_EQ(::mincore(memory, Rings::bytes(kProcesses), pages.data()), 0);
    return std::count_if(pages.begin(), pages.end(), [](unsigned char p) { return (p & 1) != 0; });
  };
  poll_all();
  for (Process& p : all) EXPECT_FALSE(p.rings.pending());
  EXPECT_LE(resident(), 1);  // the sets of senders
  ASSERT_TRUE(all[3].request(1));
  EXPECT_TRUE(all[1].rings.pending());
  poll_all();
  EXPECT_EQ(all[1].requests[3], 1u);
  EXPECT_EQ(all[3].replies[1], 1u);
  // A slot and the positions of a ring that was sent to; its reader has read the slots behind those of both
  // rings.
  EXPECT_LE(resident(), 10);
  // One that sends for the first time after others, which have been polled for long.
  ASSERT_TRUE(all[0].request(1));
  EXPECT_TRUE(all[1].rings.pending());
  poll_all();
  poll_all();  // the reply, to a process that was polled before it was sent
  EXPECT_EQ(all[1].requests[0], 1u);
  EXPECT_EQ(all[0].replies[1], 1u);
  for (Process& p : all) EXPECT_FALSE(p.rings.pending());
}

// Two pairs in the memory of four: each reaches its own.
TEST(Rings, OfPartsOfTheProcesses) {
  void* memory = ::mmap(nullptr, Rings::bytes(kProcesses), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  constexpr Rank kFirst = 10;  // of the four, in a larger job
  Doorbell bells[kProcesses];
  Topology t;
  t.size = 20;
  for (Slot s = 0; s <= t.size; ++s) t.first_slot.push_back(s);
  Process all[kProcesses];
  for (Rank i = 0; i < kProcesses; ++i) {
    all[i].me = t.rank = kFirst + i;
    all[i].rings.attach(memory, {kFirst, kProcesses}, {kFirst + i / 2 * 2, 2}, t, bells, false, "test");
    for (Rank r = 0; r < t.size; ++r)
      EXPECT_EQ(all[i].rings.reach(r), r != t.rank && r / 2 == t.rank / 2) << t.rank << " to " << r;
  }
  struct Sink {
    void deliver_slot(const AmArrival& a) { deliver(a); }
    void deliver(const AmArrival& a) { from = a.source; }
    bool accepts_requests() const { return true; }
    Rank from = 0;
  };
  const std::uint32_t args[] = {0, 0};
  for (Rank i = 0; i < kProcesses; ++i)
    ASSERT_TRUE(all[i].rings.request_slot(kFirst + (i ^ 1), kShort, args));
  for (Rank i = 0; i < kProcesses; ++i) {
    Sink sink;
    EXPECT_EQ(all[i].rings.poll(kBudget, sink), 1u);
    EXPECT_EQ(sink.from, kFirst + (i ^ 1));
  }
  ::munmap(memory, Rings::bytes(kProcesses));
}

// Each process sends to all until nothing fits any more, twenty times, and receives only between these
// rounds: requests stay in the ring while their replies have no room, and no process is stuck.
TEST_F(RingsFixture, FullBothWaysAllArriveInOrder) {
  for (unsigned round = 0; round < 20; ++round) {
    for (Process& p : all)
      for (Rank to = 0; to < kProcesses; ++to)
        while (to != p.me && p.request(to, round % 2 == 0 ? 0 : 3)) continue;
    for (Rank r = 0; r < kProcesses; ++r) {
      Process& p = all[(r + round) % kProcesses];
      EXPECT_TRUE(p.rings.has_packets());
      EXPECT_TRUE(p.rings.pending());
      for (unsigned i = 0; i < 20; ++i) p.poll();
    }
  }
  for (int i = 0; i < 10; ++i) poll_all();
  for (Process& p : all) {
    EXPECT_FALSE(p.rings.has_packets());
    EXPECT_FALSE(p.rings.pending());
    for (const Process& other : all) {
      if (other.me == p.me) continue;
      EXPECT_GT(p.sent[other.me], kRingSlots);
      EXPECT_EQ(other.requests[p.me], p.sent[other.me]) << p.me << " to " << other.me;
      EXPECT_EQ(p.replies[other.me], p.sent[other.me]) << p.me << " from " << other.me;
    }
  }
}

// A process accepts requests while it has room for the replies, and goes on when its replies are received.
TEST_F(RingsFixture, RequestsStayWhileRepliesHaveNoRoom) {
  Process &requester = all[0], &responder = all[1];
  for (int i = 0; i < 100; ++i) {
    while (requester.request(1)) continue;
    while (responder.poll() != 0) continue;
  }
  EXPECT_EQ(responder.requests[0], kRingSlots);
  EXPECT_EQ(requester.sent[1], 2 * kRingSlots);
  EXPECT_TRUE(responder.rings.has_packets());
  while (requester.poll() != 0 || responder.poll() != 0) continue;
  EXPECT_EQ(requester.replies[1], 2 * kRingSlots);
}

TEST_F(RingsFixture, RequestsStayWhileTheyAreNotWanted) {
  all[0].request_many(1, 5);
  all[1].request_many(0, 5);
  all[0].accepts = false;
  all[1].poll();
  EXPECT_EQ(all[0].poll(), 5u);
  EXPECT_EQ(all[0].replies[1], 5u);
  EXPECT_EQ(all[0].requests[1], 0u);
  all[0].accepts = true;
  EXPECT_EQ(all[0].poll(), 5u);
}

// Replies are received whatever the budget; after more of them than it allows there is none left for
// requests.
TEST_F(RingsFixture, BudgetIsOfRequestsAndRepliesTogether) {
  all[0].request_many(1, 100);
  all[1].request_many(0, 100);
  while (all[1].poll() != 0) continue;
  EXPECT_EQ(all[0].poll(), 100u);
  EXPECT_EQ(all[0].replies[1], 100u);
  EXPECT_EQ(all[0].requests[1], 0u);
  EXPECT_EQ(all[0].poll(), kBudget);
  EXPECT_EQ(all[0].requests[1], kBudget);
}

TEST_F(RingsFixture, FewerRepliesThanTheBudgetLeaveTheRestOfIt) {
  all[0].request_many(1, 20);
  all[1].request_many(0, 100);
  while (all[1].poll() != 0) continue;
  EXPECT_EQ(all[0].poll(), kBudget);
  EXPECT_EQ(all[0].requests[1], kBudget - 20);
}

TEST_F(RingsFixture, BusyPeersTakeTurns) {
  for (Rank from = 1; from < kProcesses; ++from) all[from].request_many(0, kRingSlots);
  for (Rank i = 1; i < kProcesses; ++i) all[0].poll();
  for (Rank from = 1; from < kProcesses; ++from) EXPECT_EQ(all[0].requests[from], kBudget) << from;
}

struct ThreadedRingsFixture : RingsFixture {
  ThreadedRingsFixture() : RingsFixture(true) {}
};

// Threads of one process send to the same one without losing any; another thread only tests whether there are
// packets.
TEST_F(ThreadedRingsFixture, SeveralThreadsSend) {
  constexpr std::uint32_t kEach = 20000;
  struct Counter {
    void deliver_slot(const AmArrival& a) { deliver(a); }
    void deliver(const AmArrival& a) { EXPECT_EQ(a.args[0], next[a.args[1]]++); }
    bool accepts_requests() const { return true; }
    std::array<std::uint32_t, 2> next{};
  } counter;
  const auto send = [&](std::uint32_t sender) {
    for (std::uint32_t i = 0; i < kEach; ++i) {
      const std::uint32_t args[kMaxAmArgs] = {i, sender};
      const auto sent = [&] {
        return i % 4 == 0 ? all[0].rings.send(1, {.head = kWide, .args = args}) == Status::kOk
                          : all[0].rings.request_slot(1, kShort, args);
      };
      while (!sent()) std::this_thread::yield();
    }
  };
  std::atomic<bool> over{false};
  std::thread first(send, 0), second(send, 1), observer([&] {
    while (!over.load(std::memory_order_relaxed)) (void)all[1].rings.pending(), std::this_thread::yield();
  });
  unsigned received = 0;
  while (received < 2 * kEach) {
    const unsigned n = all[1].rings.poll(kBudget, counter);
    received += n;
    if (n == 0) std::this_thread::yield();
  }
  over.store(true, std::memory_order_relaxed);
  first.join(), second.join(), observer.join();
  EXPECT_EQ(counter.next[0], kEach);
  EXPECT_EQ(counter.next[1], kEach);
}

}  // namespace
}  // namespace upcr

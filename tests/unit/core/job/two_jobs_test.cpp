// SPDX-License-Identifier: BSD-3-Clause
// Two jobs in one process: each of their ranks is a Job that attach_job() has attached, on a thread of its
// own, over a conduit in memory. Both send messages, put, get, count and run barriers at the same time,
// at equal offsets and by equal handlers, and neither notices the other.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "tests/support/thread_job.hpp"

namespace upcr {
namespace {

using test::MemoryNet;
using test::ThreadJob;

constexpr std::size_t kBlock = 6000;       // of a put: two packets
constexpr std::uint64_t kCounter = 60000;  // offsets in segments; below them a block for each rank
constexpr std::uint64_t kPair = kCounter + 64, kCopies = kCounter + 128, kRows = kCounter + 512;
constexpr std::uint8_t kHello = 100, kReply = 101;

// One rank of one job. `tag` differs between jobs.
struct Peer {
  Peer(Job& j, std::uint32_t t);

  Job& job;
  std::uint32_t tag;
  std::vector<std::uint32_t> hellos;  // by source
  std::uint32_t replies = 0, strays = 0;

  Rank rank() const { return job.topology.rank; }
  Rank size() const { return job.topology.size; }
  std::uint64_t remote(Rank at, std::uint64_t offset) const { return test::remote(job, at, offset); }
  char* here(std::uint64_t offset) const { return test::here(job, offset); }
  template <typename Ready>
  void wait(const char* what, Ready&& ready) {
    job.progress.wait_until(rank(), {what}, ready);
  }
  void wait(const char* what, Pending& pending) {
    wait(what, [&] { return pending.done(); });
  }
  void send_hello(Rank to) {
    AmMessage m;
    m.handler = kHello;
    m.args = {&tag, 1};
    job.engine->request(to, m);
  }
  void barrier() {
    job.barrier.notify(rank(), {BarrierKind::kNamed, static_cast<std::int32_t>(tag)});
    const BarrierResult result = job.barrier.wait(rank());
    EXPECT_FALSE(result.mismatch);
    EXPECT_EQ(result.first.value, static_cast<std::int32_t>(tag));
  }
};

void on_hello(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void* cookie) {
  Peer& me = *static_cast<Peer*>(cookie);
  ++me.hellos[token.source];
  if (nargs != 1 || args[0] != me.tag) ++me.strays;
  AmMessage m;
  m.handler = kReply;
  m.args = {args, 1};
  token.engine.reply(token, m);
}

void on_reply(AmToken&, const std::uint32_t* args, unsigned, void*, std::size_t, void* cookie) {
  Peer& me = *static_cast<Peer*>(cookie);
  ++me.replies;
  if (args[0] != me.tag) ++me.strays;
}

Peer::Peer(Job& j, std::uint32_t t) : job(j), tag(t), hellos(j.topology.size) {
  job.engine->set_handler(kHello, on_hello, this);
  job.engine->set_handler(kReply, on_reply, this);
  job.bootstrap->barrier();
}

void exchange_messages(Peer& me, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i)
    for (Rank to = 0; to < me.size(); ++to) me.send_hello(to);
  me.wait("replies", [&] { return me.replies == rounds * me.size(); });
  me.barrier();
  EXPECT_EQ(me.hellos, std::vector<std::uint32_t>(me.size(), rounds));
  EXPECT_EQ(me.strays, 0u);
}

// Puts a block to each rank, at this rank's offset there, and gets it back.
void put_and_get(Peer& me) {
  const std::vector<char> data(kBlock, static_cast<char>(me.tag + me.rank()));
  Pending done;
  for (Rank to = 0; to < me.size(); ++to)
    me.job.rma.put(to, me.remote(to, me.rank() * kBlock), data.data(), kBlock, done, nullptr);
  me.wait("puts", done);
  me.barrier();
  for (Rank from = 0; from < me.size(); ++from) {
    const std::vector<char> theirs(kBlock, static_cast<char>(me.tag + from));
    EXPECT_EQ(std::memcmp(me.here(from * kBlock), theirs.data(), kBlock), 0) << "rank " << from;
    std::vector<char> back(kBlock);
    me.job.rma.get(from, back.data(), me.remote(from, me.rank() * kBlock), kBlock, done);
    me.wait("get", done);
    EXPECT_EQ(back, data);
  }
  me.barrier();
}

// All ranks count at rank 0, in words of 8 and 4 bytes, and sets 16 bytes, which needs the host's locks.
void count(Peer& me, unsigned rounds) {
  Pending done;
  for (unsigned i = 0; i < rounds; ++i) {
    me.job.atomics.start(0, me.remote(0, kCounter), AtomType::kU64, AtomOp::kAdd, {me.tag, 0}, {}, nullptr,
                         done);
    me.job.atomics.start(0, me.remote(0, kCounter + 8), AtomType::kI32, AtomOp::kAdd, {1, 0}, {}, nullptr,
                         done);
    me.job.atomics.start(0, me.remote(0, kPair), AtomType::kPair, AtomOp::kSet, {me.tag, me.tag}, {}, nullptr,
                         done);
  }
  me.wait("atomics", done);
  me.barrier();
  std::uint64_t sum = 0;
  AtomWord pair;
  me.job.rma.get(0, &sum, me.remote(0, kCounter), sizeof sum, done);
  me.job.atomics.start(0, me.remote(0, kPair), AtomType::kPair, AtomOp::kGet, {}, {}, &pair, done);
  me.wait("sums", done);
  EXPECT_EQ(sum, std::uint64_t{rounds} * me.tag * me.size());
  EXPECT_EQ(pair.low, me.tag);
  EXPECT_EQ(pair.high, me.tag);
  me.barrier();
}

// Rank 0 has the last rank's memory copied to rank 1, which is a deferred request there; and writes every
// second word of rank 1.
void copy_and_scatter(Peer& me) {
  const Rank last = me.size() - 1;
  std::memset(me.here(kCopies), static_cast<int>(me.tag + me.rank()), 256);
  me.barrier();
  if (me.rank() == 0) {
    Pending copied, scattered;
    me.job.deferred_requests.start_copy(0, 1, kCopies, last, kCopies, 256, copied);
    me.wait("copy", copied);
    const std::vector<std::uint64_t> words(8, me.tag);
    VisSection rows(me.remote(1, kRows), 8);
    rows.add(8, 16);
    me.job.vis.put(1, VisSide::of(rows), VisSide::contiguous(words.data(), 64), scattered, nullptr);
    me.wait("scatter", scattered);
  }
  me.barrier();
  if (me.rank() == 1) {
    for (std::size_t i = 0; i < 256; ++i)
      ASSERT_EQ(static_cast<unsigned char>(me.here(kCopies)[i]), static_cast<unsigned char>(me.tag + last));
    std::uint64_t words[16];
    std::memcpy(words, me.here(kRows), sizeof words);
    for (std::size_t i = 0; i < 16; ++i) ASSERT_EQ(words[i], i % 2 == 0 ? me.tag : 0u);
  }
}

void whole_life(Job& job, std::uint32_t tag) {
  Peer me(job, tag);
  exchange_messages(me, 40);
  put_and_get(me);
  count(me, 100);
  copy_and_scatter(me);
  for (int i = 0; i < 20; ++i) me.barrier();
  end_job(me.job);
}

TEST(TwoJobs, DoNotSeeEachOther) {
  for (const MemoryNet::Options& options :
       {MemoryNet::Options{},
        MemoryNet::Options{.requests = 2, .replies = 1, .reorder_seed = 3, .refuse_every = 5}}) {
    ThreadJob first(3, options), second(4, options);
    std::vector<std::thread> threads;
    first.start(threads, [](Job& job) { whole_life(job, 17); });
    second.start(threads, [](Job& job) { whole_life(job, 170); });
    for (std::thread& t : threads) t.join();
  }
}

// One thread for both: a poll of one job runs no handler and no progress hook of the other.
TEST(TwoJobs, PollsAreOfOneJob) {
  ThreadJob jobs[] = {ThreadJob(2, {.max_medium = 256}), ThreadJob(2, {.max_medium = 4096})};
  std::unique_ptr<Peer> peers[2][2];  // by job and rank
  std::vector<std::thread> threads;
  for (unsigned j = 0; j < 2; ++j)
    jobs[j].start(threads,
                  [&, j](Job& job) { peers[j][job.topology.rank] = std::make_unique<Peer>(job, j); });
  for (std::thread& t : threads) t.join();
  unsigned hook_runs[2] = {};
  const auto hook = [](void* runs) {
    ++*static_cast<unsigned*>(runs);
    return 0u;
  };
  for (unsigned j = 0; j < 2; ++j) {
    jobs[j].rank(1).progress.add_hook(hook, &hook_runs[j]);
    jobs[j].rank(1).progress.work().begin();
  }
  peers[1][0]->send_hello(1);
  for (int i = 0; i < 10; ++i)
    for (Rank r = 0; r < 2; ++r) EXPECT_EQ(jobs[0].rank(r).progress.poll(), 0u);
  EXPECT_EQ(peers[1][1]->hellos[0], 0u);
  EXPECT_EQ(hook_runs[0], 10u);
  EXPECT_EQ(hook_runs[1], 0u);
  EXPECT_EQ(jobs[1].rank(1).progress.poll(), 1u);
  EXPECT_EQ(jobs[1].rank(0).progress.poll(), 1u);
  EXPECT_EQ(peers[1][1]->hellos[0], 1u);
  EXPECT_EQ(peers[1][0]->replies, 1u);
  EXPECT_EQ(hook_runs[1], 1u);
  EXPECT_EQ(peers[0][1]->hellos[0], 0u);
}

}  // namespace
}  // namespace upcr

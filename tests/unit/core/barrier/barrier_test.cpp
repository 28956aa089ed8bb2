// SPDX-License-Identifier: BSD-3-Clause
// Complete barriers, also of several groups, simulated in one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "conduits/core/am/args.hpp"
#include "conduits/core/barrier/state.hpp"
#include "tests/support/barrier_values.hpp"
#include "tests/support/simulated_ranks.hpp"

namespace upcr {
namespace {

using test::kAnonymous;
using test::MemoryNet;
using test::named;
using test::SimulatedRanks;

struct FreeArea {
  void operator()(void* p) const { std::free(p); }
};

// A job of `hosts` x `processes` x `threads`; without `bypass` every process is a window group of its own.
class SimulatedJob {
 public:
  SimulatedJob(Rank hosts, Rank processes, Slot threads, bool bypass, const MemoryNet::Options& options = {},
               bool multithreaded = false)
      : ranks_(hosts * processes, options, {.multithreaded = multithreaded}), threads_(threads) {
    const Rank size = hosts * processes;
    Topology t;
    t.size = size;
    for (Rank r = 0; r <= size; ++r) t.first_slot.push_back(r * threads);
    for (Slot s = 0; s < size * threads; ++s) t.rank_of.push_back(s / threads);
    std::vector<Rank> leaders;
    for (Rank r = 0; r < size; ++r) {
      t.rank = r;
      t.window_group_first = bypass ? r / processes * processes : r;
      t.window_group_size = bypass ? processes : 1;
      topologies_.push_back(t);
      if (t.window_group_first == r) leaders.push_back(r);
    }
    barriers_ = std::vector<Barrier>(size);
    for (Rank r = 0; r < size; ++r) {
      const Topology& mine = topologies_[r];
      if (mine.window_group_first == r) {
        const std::size_t bytes = Barrier::area_bytes(mine);
        areas_.emplace_back(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
        std::fill_n(static_cast<char*>(areas_.back().get()), bytes, '\0');
      }
      barriers_[r].attach(areas_.back().get(), mine, doorbells_, &ranks_.engine(r), leaders);
    }
  }
  Slot slots() const { return static_cast<Slot>(barriers_.size()) * threads_; }
  Rank rank_of(Slot s) const { return s / threads_; }
  Barrier& barrier(Slot s) { return barriers_[rank_of(s)]; }
  SimulatedRanks& ranks() { return ranks_; }

  void notify(Slot s, BarrierValue v, Arrival arrival = Arrival::kSplit) { barrier(s).notify(s, v, arrival); }
  // One iteration of a waiting thread.
  void progress(Slot s) {
    ranks_.engine(rank_of(s)).poll();
    barrier(s).send_due(nullptr);
  }
  bool arrived(Slot s) { return barrier(s).arrived(s); }
  void settle() {
    for (int quiet = 0; quiet < 2;) {
      quiet = ranks_.poll_all() == 0 ? quiet + 1 : 0;
      for (Barrier& b : barriers_) b.send_due(nullptr);
    }
  }

 private:
  SimulatedRanks ranks_;
  const Slot threads_;
  Doorbells doorbells_;
  std::vector<Topology> topologies_;
  std::vector<std::unique_ptr<void, FreeArea>> areas_;
  std::vector<Barrier> barriers_;
};

struct Shape {
  Rank hosts, processes;
  Slot threads;
  bool bypass;
};
const Shape kShapes[] = {{1, 1, 1, true},  {1, 2, 1, true},  {1, 1, 4, true},  {1, 5, 1, true},
                         {1, 3, 4, true},  {1, 2, 1, false}, {1, 5, 1, false}, {1, 3, 2, false},
                         {2, 2, 1, true},  {3, 2, 2, true},  {2, 7, 1, true},  {9, 8, 1, true},
                         {64, 1, 1, true}, {65, 1, 1, true}, {70, 1, 2, true}, {130, 1, 1, true}};

TEST(Barrier, NoThreadLeavesBeforeAllHaveArrived) {
  for (const Shape& shape : kShapes) {
    SimulatedJob job(shape.hosts, shape.processes, shape.threads, shape.bypass);
    std::mt19937 random(job.slots());
    for (int phase = 0; phase < 6; ++phase) {
      std::vector<Slot> order(job.slots());
      std::iota(order.begin(), order.end(), 0u);
      std::shuffle(order.begin(), order.end(), random);
      for (Slot i = 0; i + 1 < job.slots(); ++i) {
        job.notify(order[i], named(phase));
        if (i % 8 == 0) job.settle();
        ASSERT_FALSE(job.arrived(order[i])) << shape.hosts << "x" << shape.processes << "x" << shape.threads;
      }
      job.settle();
      for (Slot i = 0; i + 1 < job.slots(); ++i) ASSERT_FALSE(job.arrived(order[i]));
      job.notify(order.back(), named(phase));
      job.settle();
      for (Slot s = 0; s < job.slots(); ++s) {
        ASSERT_TRUE(job.arrived(s)) << shape.hosts << "x" << shape.processes << "x" << shape.threads;
        EXPECT_FALSE(job.barrier(s).result(s).mismatch);
        EXPECT_EQ(job.barrier(s).result(s).first.value, phase);
      }
    }
  }
}

TEST(Barrier, EveryThreadSeesTheSameMismatch) {
  for (const Shape& shape : kShapes) {
    SimulatedJob job(shape.hosts, shape.processes, shape.threads, shape.bypass);
    if (job.slots() < 2) continue;
    const Slot odd = job.slots() / 2;
    for (int phase = 0; phase < 4; ++phase) {
      const bool mismatch = phase % 2 == 1;
      for (Slot s = 0; s < job.slots(); ++s) job.notify(s, s == odd && mismatch ? named(9) : named(5));
      job.settle();
      for (Slot s = 0; s < job.slots(); ++s) {
        ASSERT_TRUE(job.arrived(s));
        const BarrierResult r = job.barrier(s).result(s);
        ASSERT_EQ(r.mismatch, mismatch);
        ASSERT_EQ(r.first.value, 5);
        ASSERT_EQ(r.first_thread, 0u);
        if (mismatch) {
          ASSERT_EQ(r.second.value, 9);
          ASSERT_EQ(r.second_thread, odd);
        }
      }
    }
  }
}

// A caller omits a fence if `all_blocking` is set: only if all threads arrived so, and else on no thread.
TEST(Barrier, AllBlockingOnlyIfAllArrivedBlocking) {
  for (const Shape& shape : kShapes) {
    SimulatedJob job(shape.hosts, shape.processes, shape.threads, shape.bypass);
    if (job.slots() > 12) continue;
    const bool is_reported = shape.hosts == 1 && job.slots() <= Barrier::kFlatBarrierMax && shape.bypass;
    for (Slot split = 0; split <= job.slots(); ++split) {  // in the last round: none
      for (const BarrierValue odd : {named(5), kAnonymous, named(9)}) {
        for (Slot s = 0; s < job.slots(); ++s)
          job.notify(s, s == 0 ? odd : named(5), s == split ? Arrival::kSplit : Arrival::kBlocking);
        job.settle();
        for (Slot s = 0; s < job.slots(); ++s) {
          ASSERT_TRUE(job.arrived(s));
          const BarrierResult r = job.barrier(s).result(s);
          if (split < job.slots()) {
            ASSERT_FALSE(r.all_blocking);
          } else if (is_reported && odd.kind == BarrierKind::kNamed && odd.value == 5) {
            ASSERT_TRUE(r.all_blocking);
          }
          ASSERT_EQ(r.mismatch, odd.kind == BarrierKind::kNamed && odd.value == 9 && job.slots() > 1);
        }
      }
    }
  }
}

// After its notify a thread may compute for any time: each process passes the barrier if only it polls.
TEST(Barrier, SplitPhaseNeedsNoProgressOfThreadsThatNotified) {
  for (const Shape& shape : kShapes) {
    if (shape.hosts > BarrierExchange::kOneRound) continue;  // more rounds need the groups in between
    for (Slot watched = 0; watched < shape.hosts * shape.processes * shape.threads; ++watched) {
      SimulatedJob job(shape.hosts, shape.processes, shape.threads, shape.bypass, {.requests = 64});
      for (int phase = 0; phase < 3; ++phase) {
        for (Slot s = 0; s < job.slots(); ++s) job.notify(s, kAnonymous);
        for (unsigned i = 0; i < job.slots(); ++i) job.ranks().engine(job.rank_of(watched)).poll();
        ASSERT_TRUE(job.arrived(watched)) << shape.hosts << "x" << shape.processes << "x" << shape.threads
                                          << ", thread " << watched << ", phase " << phase;
        job.settle();
      }
      if (shape.hosts > 16) watched += 20;
    }
  }
}

TEST(Barrier, RefusedMessagesAreSentLater) {
  for (const bool reorder : {false, true}) {
    SimulatedJob job(5, 1, 2, true, {.requests = 1, .reorder_seed = reorder ? 3u : 0u, .refuse_every = 2});
    for (int phase = 0; phase < 20; ++phase) {
      for (Slot s = 0; s < job.slots(); ++s) job.notify(s, named(phase));
      for (int turn = 0; turn < 1000 && !job.arrived(0); ++turn)
        for (Slot s = 0; s < job.slots(); ++s) job.progress(s);
      for (int turn = 0; turn < 1000; ++turn)
        for (Slot s = 0; s < job.slots(); ++s) job.progress(s);
      for (Slot s = 0; s < job.slots(); ++s) ASSERT_TRUE(job.arrived(s)) << phase;
    }
    EXPECT_GT(job.ranks().net().refused(), 0u);
  }
}

TEST(BarrierDeathTest, InvalidMessagesAreReported) {
  SimulatedJob job(3, 1, 1, true);
  const auto send_args = [&](std::span<const std::uint32_t> args) {
    job.ranks().engine(1).request(0, internal_message(InternalHandler::kBarrier, args));
    job.ranks().engine(0).poll();
  };
  const auto send = [&](const BarrierExchange::Message& message) { send_args(to_args(message)); };
  EXPECT_DEATH(send_args(std::array<std::uint32_t, 3>{1, 0, 0}), "malformed barrier message from rank 1: 3");
  EXPECT_DEATH(send({3, 0, 1, {}}), "fits no barrier.*phase 3");
  EXPECT_DEATH(send({1, 1, 1, {}}), "fits no barrier.*round 1");
  EXPECT_DEATH(send({1, 0, 0, {}}), "fits no barrier.*target 0");
  EXPECT_DEATH(send({1, 0, 3, {}}), "fits no barrier.*target 3");
  EXPECT_DEATH(send({1, 0, 1, {~0u}}), "fits no barrier");
}

// A message that a group receives twice: the second copy completes nothing, not even when it comes in the
// next phase, or after that.
TEST(Barrier, CopiesCountOnce) {
  SimulatedJob job(3, 1, 1, true, {.requests = 64});
  const auto copy = [&](Rank from, Rank to, std::uint32_t phase) {
    BarrierSummary values;
    values.add(from, named(static_cast<std::int32_t>(phase)));
    BarrierExchange::Message message{phase, 0, static_cast<std::uint16_t>((to + 3 - from) % 3), {}};
    values.encode(message.summary.data());
    const auto args = to_args(message);
    job.ranks().engine(from).request(to, internal_message(InternalHandler::kBarrier, args));
    job.ranks().engine(to).poll();
  };
  for (std::uint32_t phase = 1; phase < 8; ++phase) {
    for (std::uint32_t old = phase < 4 ? 1 : phase - 3; old < phase; ++old) copy(1, 0, old);
    job.notify(0, named(static_cast<std::int32_t>(phase)));
    job.notify(1, named(static_cast<std::int32_t>(phase)));
    for (int i = 0; i < 4; ++i) copy(1, 0, phase);
    job.settle();
    ASSERT_FALSE(job.arrived(0)) << phase;
    ASSERT_FALSE(job.arrived(1)) << phase;
    job.notify(2, named(static_cast<std::int32_t>(phase)));
    job.settle();
    for (Slot s = 0; s < 3; ++s) {
      ASSERT_TRUE(job.arrived(s)) << phase;
      const BarrierResult r = job.barrier(s).result(s);
      ASSERT_FALSE(r.mismatch) << phase;
      ASSERT_EQ(r.first.value, static_cast<std::int32_t>(phase));
    }
    copy(1, 0, phase);
    ASSERT_TRUE(job.arrived(0)) << phase;
  }
}

// A process that computes and receives nothing delays no other process in the barrier: its neighbour gets the
// message, and what its full queue refuses is dropped two phases later, or sent when there is room.
TEST(Barrier, AFullProcessIsNotWaitedFor) {
  SimulatedJob job(2, 2, 1, true, {.requests = 1});
  const auto fill = [&](Rank to) {
    const auto args = to_args(BarrierExchange::Message{0, 0, 1, {}});  // of phase 0: ignored
    const AmMessage m = internal_message(InternalHandler::kBarrier, args);
    while (job.ranks().engine(0).try_request(to, m) == Status::kOk) {
    }
  };
  ProgressEngine progress;
  const Doorbells doorbells;
  progress.attach(job.ranks().engine(0), doorbells);
  constexpr Rank kComputes = 2, kWaits = 3;
  fill(kComputes);
  for (int phase = 1; phase < 8; ++phase) {
    for (const Slot s : {1, 0, 2, 3}) job.notify(s, named(phase));
    EXPECT_FALSE(job.barrier(0).urgent()) << phase;
    EXPECT_TRUE(job.barrier(0).due()) << phase;
    for (const Rank r : {0u, 1u, kWaits}) job.ranks().engine(r).poll();
    for (Slot s = 0; s < job.slots(); ++s) {
      ASSERT_TRUE(job.arrived(s)) << phase << ", thread " << s;
      EXPECT_EQ(job.barrier(s).result(s).first.value, phase);
    }
    job.barrier(0).send_due(&progress);  // does not wait for it
    EXPECT_TRUE(job.barrier(0).due()) << phase;
  }
  fill(kWaits);  // now no process of the group has room
  for (const Slot s : {1, 0, 2, 3}) job.notify(s, named(8));
  EXPECT_TRUE(job.barrier(0).urgent());
  EXPECT_FALSE(job.arrived(kWaits));
  for (int i = 0; i < 2; ++i) job.ranks().engine(kWaits).poll();
  job.barrier(0).send_due(&progress);
  EXPECT_FALSE(job.barrier(0).urgent());
  job.settle();
  EXPECT_FALSE(job.barrier(0).due());
  for (Slot s = 0; s < job.slots(); ++s) EXPECT_TRUE(job.arrived(s));
}

// Every thread for itself, with tiny queues: data written before is visible after.
TEST(Barrier, ThreadsRunningFreely) {
  const Shape shapes[] = {{1, 1, 3, true}, {1, 2, 3, true}, {1, 3, 2, false}, {2, 2, 2, true}};
  for (const Shape& shape : shapes) {
    SimulatedJob job(shape.hosts, shape.processes, shape.threads, shape.bypass,
                     {.requests = 2, .reorder_seed = 11, .refuse_every = 3}, true);
    constexpr int kPhases = 300;
    std::vector<int> written(job.slots() * 16, 0);  // plain memory: the barrier is what orders it
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (Slot s = 0; s < job.slots(); ++s) {
      threads.emplace_back([&, s] {
        for (int phase = 1; phase <= kPhases; ++phase) {
          const auto barrier = [&](std::int32_t value) {
            job.notify(s, named(value));
            while (!job.arrived(s) || job.barrier(s).urgent()) {
              job.progress(s);
              std::this_thread::yield();
            }
            const BarrierResult r = job.barrier(s).result(s);
            if (r.mismatch || r.first.value != value) ++wrong;
          };
          written[s * 16] = phase;
          barrier(phase);
          for (Slot other = 0; other < job.slots(); ++other)
            if (written[other * 16] != phase) ++wrong;
          barrier(-phase);
        }
      });
    }
    for (auto& t : threads) t.join();
    EXPECT_EQ(wrong.load(), 0) << shape.hosts << "x" << shape.processes << "x" << shape.threads;
  }
}

}  // namespace
}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
// The job's barrier among processes x threads: core_barrier [THREADS [PHASES]]. Data that was written before
// a barrier is visible after it, all threads report the same mismatch, and threads that have notified delay
// no other.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/startup/startup.hpp"
#include "tests/support/program_job.hpp"

namespace upcr {
namespace {

using test::job;

BarrierValue named(std::int32_t v) { return {BarrierKind::kNamed, v}; }

BarrierResult run_barrier(Slot me, BarrierValue value) {
  job().barrier.notify(me, value);
  return job().barrier.wait(me);
}

// Each thread counts its arrivals in its own segment; after a barrier all counts are equal.
void ordered(Slot me, std::uint64_t phases) {
  Job& j = job();
  const Slot n = j.topology.slots();
  Pending done;
  for (std::uint64_t phase = 1; phase <= phases; ++phase) {
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(j.segments.remote[me]))
        .store(phase, std::memory_order_relaxed);
    REQUIRE(!run_barrier(me, named(static_cast<std::int32_t>(phase))).mismatch);
    const Slot other = static_cast<Slot>((me + phase) % n);
    std::uint64_t seen = 0;
    job().rma.get(j.topology.rank_of[other], &seen, j.segments.remote[other], sizeof seen, done);
    job().progress.wait_until(me, {"get"}, [&] { return done.done(); });
    REQUIRE(seen == phase);
    REQUIRE(!run_barrier(me, {}).mismatch);
  }
}

void mismatches(Slot me) {
  const Slot n = job().topology.slots();
  for (Slot odd = 0; odd < n; odd += n / 3 + 1) {
    const BarrierResult r = run_barrier(me, named(me == odd ? 5 : 4));
    REQUIRE(r.mismatch == (n > 1));
    if (n > 1) {
      REQUIRE(r.first_thread == 0 && r.second_thread == (odd == 0 ? 1 : odd));
      REQUIRE(r.first.value == (odd == 0 ? 5 : 4) && r.second.value == (odd == 0 ? 4 : 5));
    }
    const BarrierResult exit =
        run_barrier(me, me == odd ? BarrierValue{BarrierKind::kExit, 0} : BarrierValue{});
    REQUIRE(exit.mismatch == (n > 1));
    REQUIRE(exit.first.kind == BarrierKind::kExit && exit.first_thread == odd);
  }
}

constexpr Rank kRounds = 6;
MemoryFile::Area passed_area;  // of each round of overlap(): threads that have passed their wait

// One process at a time neither polls nor waits between its notify and the end of all others' waits.
void overlap(Slot me) {
  Job& j = job();
  const Topology& t = j.topology;
  auto* passed = j.machine_memory().at<std::atomic<Slot>>(passed_area);
  if (t.machine_size != t.size) return;              // the counters are in memory that all processes share
  if (t.size / t.window_group_size > 64) return;     // further rounds need the groups in between
  if (std::getenv("UPCR_FAULT") != nullptr) return;  // held packets are sent only when their sender polls
  for (Rank round = 0; round < kRounds && round < t.size; ++round) {
    const Rank idle_rank = t.size - 1 - round;
    const bool idle = t.rank == idle_rank;
    job().barrier.notify(me, {});
    const Slot others = t.slots() - (idle ? t.my_slots() : 0);
    while (idle && passed[round] < others) std::this_thread::yield();
    REQUIRE(!job().barrier.wait(me).mismatch);
    ++passed[round];
    REQUIRE(!run_barrier(me, {}).mismatch);
  }
}

void thread_main(Slot me, std::uint64_t phases) {
  REQUIRE(!run_barrier(me, {}).mismatch);
  ordered(me, phases);
  mismatches(me);
  overlap(me);
  BarrierResult r;
  job().barrier.notify(me, {BarrierKind::kUnnamed, 0});
  while (!job().barrier.try_wait(me, &r)) std::this_thread::yield();
  REQUIRE(!r.mismatch && r.first.kind == BarrierKind::kUnnamed);
}

int run(int argc, char** argv) {
  start_job(job(), {argc, argv});
  const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
  const int phases = argc > 2 ? std::atoi(argv[2]) : 200;
  AttachOptions options;
  options.slots_here = static_cast<Slot>(threads);
  options.segment_bytes = 1u << 16;
  options.multithreaded = threads > 1;
  options.plan = [](Job& j) {
    passed_area = j.machine_memory().reserve(kRounds * sizeof(std::atomic<Slot>));
  };
  attach_job(job(), options);
  std::vector<std::thread> others;
  const Slot first = job().topology.my_first_slot();
  for (int i = 1; i < threads; ++i) others.emplace_back(thread_main, first + static_cast<Slot>(i), phases);
  thread_main(first, phases);
  for (std::thread& t : others) t.join();
  if (job().topology.rank == 0) std::printf("all %u ranks agree\n", job().topology.size);
  end_job(job());
  return 0;
}

}  // namespace
}  // namespace upcr

int main(int argc, char** argv) { return upcr::run(argc, argv); }

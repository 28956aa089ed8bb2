// SPDX-License-Identifier: BSD-3-Clause
// The job's barrier: one Barrier (barrier/state.hpp) over job()'s memory, engine and doorbells.
#include "conduits/core/barrier/barrier.hpp"

#include <algorithm>
#include <new>

#include "conduits/core/barrier/state.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_work.hpp"
#include "conduits/core/wait/adaptive_spin.hpp"

namespace upcr {
namespace {

// Never destroyed: threads may wait in it while the process ends.
alignas(Barrier) unsigned char barrier_storage[sizeof(Barrier)];
Barrier& the_barrier = *new (barrier_storage) Barrier;
MemoryFile::Area barrier_area;
constexpr unsigned kChances = 8;
bool spins = true;  // every thread has a CPU
thread_local AdaptiveSpin adaptive_spin;

// The lowest rank of every window group. Collective.
std::vector<Rank> window_leaders(Bootstrap& bootstrap, const Topology& topology) {
  std::vector<Rank> leader_of(topology.size);
  bootstrap.allgather(&topology.window_group_first, sizeof(Rank), leader_of.data());
  leader_of.erase(std::unique(leader_of.begin(), leader_of.end()), leader_of.end());
  return leader_of;
}

}  // namespace

void plan_barrier(Job& job) { barrier_area = job.memory_file.reserve(Barrier::area_bytes(job.topology)); }

void attach_barrier(Job& job) {
  the_barrier.attach(job.memory_file.at<char>(barrier_area), job.topology, job.doorbells, job.engine.get(),
                     window_leaders(*job.bootstrap, job.topology));
  spins = !job.oversubscribed;
  if (!the_barrier.networked()) return;
  add_progress_hook(
      [](void*) {
        the_barrier.send_due(nullptr);
        return 0u;
      },
      nullptr);
  progress_work.begin();  // for good: what is due is not counted
}

void barrier_notify(Slot slot, BarrierValue value, Arrival arrival) {
  the_barrier.notify(slot, value, arrival);
}

bool barrier_ahead(Slot whom, Slot slot) noexcept { return the_barrier.ahead(whom, slot); }

// Like barrier_wait(), not over before each of the group's own messages is out (the hook sends them).
bool barrier_try(Slot slot, BarrierResult* result) {
  const auto over = [slot] { return the_barrier.arrived(slot) && !the_barrier.urgent(); };
  if (!over()) {
    make_progress();
    if (!over()) return false;
  }
  *result = the_barrier.result(slot);
  return true;
}

// Also stays until a copy of each of the group's own messages is out: this may be the last time that the
// thread polls for long, or at all (the exit barrier). The other copies get a few more chances: a process
// that polls has room again soon, and who computes is not waited for.
//
// It polls in any case, before it looks: a thread that comes last to every barrier serves its peers all the
// same. Between groups this process gets copies of messages that a neighbour may have taken note of already,
// and nothing else may take them off the wire. Inside one the line of words is on its way meanwhile, and
// looking at once would take it away from the others.
BarrierResult barrier_wait(Slot slot) {
  make_progress();
  bool alike = false;
  if (spins && !the_barrier.networked() && adaptive_spin([&] { return the_barrier.arrived(slot, &alike); }))
    return alike ? the_barrier.agreed(slot) : the_barrier.result(slot);
  const WaitReason reason{"barrier", the_barrier.phase(slot)};
  while (!the_barrier.arrived(slot) || the_barrier.urgent()) {
    wait_until(slot, reason, [slot] { return the_barrier.arrived(slot) || the_barrier.urgent(); });
    the_barrier.send_due(make_progress);
  }
  for (unsigned chance = 0; chance < kChances && the_barrier.due(); ++chance)
    if (make_progress() == 0) cpu_relax_or_yield();
  return the_barrier.result(slot);
}

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/barrier/blocking.hpp"

#include <algorithm>

#include "conduits/core/wait/adaptive_spin.hpp"

namespace upcr {
namespace {

thread_local AdaptiveSpin adaptive_spin;  // of the thread, for all jobs

// The lowest rank of every window group. Collective.
std::vector<Rank> window_leaders(Bootstrap& bootstrap, const Topology& topology) {
  std::vector<Rank> leader_of(topology.size);
  bootstrap.allgather(&topology.window_group_first, sizeof(Rank), leader_of.data());
  leader_of.erase(std::unique(leader_of.begin(), leader_of.end()), leader_of.end());
  return leader_of;
}

}  // namespace

void BlockingBarrier::plan(MemoryFile& memory, const Topology& topology) {
  area_ = memory.reserve(Barrier::area_bytes(topology));
}

void BlockingBarrier::attach(Bootstrap& bootstrap, const MemoryFile& memory, const Topology& topology,
                             const Doorbells& doorbells, AmEngine& engine, ProgressEngine& progress,
                             bool spins) {
  barrier_.attach(memory.at<char>(area_), topology, doorbells, &engine, window_leaders(bootstrap, topology));
  progress_ = &progress;
  spins_ = spins;
  if (!barrier_.networked()) return;
  progress.add_hook(
      [](void* self) {
        static_cast<BlockingBarrier*>(self)->barrier_.send_due(nullptr);
        return 0u;
      },
      this, ProgressEngine::HookKind::kNeverWaits);
  progress.work().begin();  // without end(): messages that are due are not counted
}

// As wait(), not true before a copy of each of the group's own messages has been sent (the hook sends them).
bool BlockingBarrier::try_wait(Slot slot, BarrierResult* result) {
  const auto over = [this, slot] { return barrier_.arrived(slot) && !barrier_.urgent(); };
  if (!over()) {
    progress_->poll();
    if (!over()) return false;
  }
  *result = barrier_.result(slot);
  return true;
}

// Returns only when a copy of each of the group's own messages has been sent: this may be the last time that
// the thread polls for long, or at all (the exit barrier). A few more polls try to send the other copies: a
// process that polls has room again soon, and a process that computes is not waited for.
//
// It always polls before it reads the words of the other threads, so a thread that arrives last at every
// barrier serves its peers as well. Between groups this process receives copies of messages that a neighbour
// may have recorded already, and possibly no other call receives them. Inside a group the cache line of the
// words is being transferred meanwhile; reading it at once would take it from the threads that write it.
BarrierResult BlockingBarrier::wait(Slot slot) {
  progress_->poll();
  bool same_value = false;
  if (spins_ && !barrier_.networked() && adaptive_spin([&] { return barrier_.arrived(slot, &same_value); }))
    return same_value ? barrier_.agreed(slot) : barrier_.result(slot);
  const WaitReason reason{"barrier", barrier_.phase(slot), WaitFor::kBarrier};
  while (!barrier_.arrived(slot) || barrier_.urgent()) {
    progress_->wait_until(slot, reason, [this, slot] { return barrier_.arrived(slot) || barrier_.urgent(); });
    barrier_.send_due(progress_);
  }
  for (unsigned i = 0; i < kExtraPolls && barrier_.due(); ++i)
    if (progress_->poll() == 0) cpu_relax_or_yield();
  return barrier_.result(slot);
}

}  // namespace upcr

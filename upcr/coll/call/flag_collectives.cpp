// SPDX-License-Identifier: BSD-3-Clause
// The memory of the flag lines, and the slow paths. See flag_collectives.hpp.
#include "upcr/coll/call/flag_collectives.hpp"

#include <algorithm>

#include "upcr/coll/call/call.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr::coll {
namespace {

MemoryFile::Area area;
// Once in so many calls, a thread that did not have to wait polls, and announces its position to calls that
// synchronise by messages: their numbers have 32 bits.
constexpr std::uint32_t kPollInterval = 32;
// With more threads than CPUs each wait for one of the others costs a context switch: beyond this many
// threads the barrier, which wakes each once, is faster.
constexpr std::uint32_t kMaxOversubscribed = 8;

bool one_window_group(const Topology& t) noexcept { return t.window_group_slots() == t.slots(); }

}  // namespace

void plan_flag_lines(Job& job) {
  if (one_window_group(job.topology))
    area = job.memory_file.reserve(job.topology.slots() * sizeof(FlagLines), 4096);
}

void attach_flag_lines(Job& job, FlagState& state) noexcept {
  if (one_window_group(job.topology)) state.all = job.memory_file.at<FlagLines>(area);
}

bool FlagCollective::serves(Call& call) noexcept {
  const Team& team = call.team();
  const std::uint64_t most =
      std::min(team.tuning.flat_threads, job().oversubscribed ? kMaxOversubscribed : ~0u);
  return call.flag_state().all != nullptr && team.key == 0 && team.size <= most;
}

FlagCollective::FlagCollective(Call& call) noexcept
    : call_(call),
      state_(call.flag_state()),
      number_(++state_.calls),
      me_(call.team().me),
      size_(call.team().size) {}

void FlagCollective::finish() {
  mine().done.store(number_, std::memory_order_release);
  ring_others();
  if (number_ % kPollInterval != 0) return;
  call_.announce();
  job().progress.poll();
}

// Waits until all threads have done the call that used the slot last.
void FlagCollective::wait_for_slot(FlagLines::Number last_use) {
  const auto done = [this](TeamRank m) { return state_.all[m].done.load(std::memory_order_acquire); };
  FlagLines::Number least = number_ - 1;  // this thread's own
  others([&](TeamRank m) {
    wait(m, [&] { return done(m) >= last_use; });
    least = std::min(least, done(m));
  });
  state_.all_done = least;
}

void FlagCollective::mismatch() { call_.barrier(); }

}  // namespace upcr::coll

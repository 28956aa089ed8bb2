// SPDX-License-Identifier: BSD-3-Clause
// What several threads of a process cost each other: two nodes of several client threads (GASNET_PAR), each
// thread of the one asks its peer in the other, all at once. Time is that of one operation of the job: until
// the last of the pairs is done, by the operations of all pairs. Beside it thread 0 and its peer alone in the
// same job; meanwhile the others sleep in the kernel, and none of them polls.
#include <atomic>

#include "bench/gasnet/gasnet_rows.hpp"
#include "bench/gasnet/messages.hpp"
#include "bench/perf/measure/pairs.hpp"

namespace perf {
namespace {

void exchange(const GasnetThreadTeam& team, const Pairs& pairs, std::uint64_t n) {
  if (pairs.leads())
    ask(team.node_of(pairs.peer()), {}, n, pairs.number());
  else
    serve(n, pairs.number());
}

// Bursts that the first thread of this process has done alone. The other threads of the process sleep until
// it is their own count.
std::atomic<std::uint64_t> bursts_done;

Burst only_pair_0(const GasnetThreadTeam& team, const std::shared_ptr<const Pairs>& pairs) {
  return [&team, pairs, burst = std::uint64_t{0}](std::uint64_t n) mutable {
    ++burst;
    if (pairs->number() != 0) {
      for (std::uint64_t done; (done = bursts_done.load(std::memory_order_acquire)) < burst;)
        bursts_done.wait(done, std::memory_order_acquire);
      return 1.0;
    }
    exchange(team, *pairs, kWarmUp);
    const double start = now_ns();
    exchange(team, *pairs, n);
    const double took = now_ns() - start;
    bursts_done.store(burst, std::memory_order_release);
    bursts_done.notify_all();
    return took;
  };
}

}  // namespace

void add_crowd(GasnetRows& rows) {
  const GasnetThreadTeam& team = rows.team();
  const auto pairs = std::make_shared<const Pairs>(team);
  if (team.processes() != 2 || pairs->count() < 2) return;
  Burst all = both_sides(pairs, [&team, pairs](std::uint64_t n) { exchange(team, *pairs, n); });
  rows.add(
      "am_short_crowd", "Short requests and replies of " + std::to_string(pairs->count()) + " pairs at once",
      [all, count = pairs->count()](std::uint64_t n) { return all(n) / count; }, "one pair",
      only_pair_0(team, pairs));
}

}  // namespace perf

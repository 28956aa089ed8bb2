// SPDX-License-Identifier: BSD-3-Clause
// Active messages through gasnet.h. Between thread 0 and its partner: round trips of each category, answered
// in kind, and a flood of Short requests. And what several threads of a process cost each other: two nodes of
// several client threads (GASNET_PAR), each thread of the one asks its peer in the other, all at once.
#include <atomic>
#include <memory>

#include "bench/gasnet/gasnet_rows.hpp"
#include "bench/gasnet/messages.hpp"
#include "bench/perf/measure/pairs.hpp"

namespace perf {
namespace {

// Both sides of a burst, after a few of the same for warming up. The partner's work: work(n) too.
template <typename Lead, typename Follow>
Burst together(const GasnetThreadTeam& team, Lead lead, Follow follow) {
  return [&team, lead, follow](std::uint64_t n) {
    if (!team.participates()) return 1.0;
    if (!team.leads()) {
      follow(kWarmUp);
      follow(n);
      return 1.0;
    }
    lead(kWarmUp);
    const double start = now_ns();
    lead(n);
    return now_ns() - start;
  };
}

Burst round_trips(const GasnetThreadTeam& team, const Message& message) {
  return together(
      team, [=, &team](std::uint64_t n) { send_requests(team.node_of(team.partner()), message, n); },
      [](std::uint64_t n) { serve_requests(n); });
}

void shorts(GasnetRows& rows) {
  for (const unsigned arguments : kArgumentCounts)
    rows.add_with_ping_pong("am_short",
                            "Short request and reply, " + std::to_string(arguments) + " arguments each",
                            round_trips(rows.team(), {.arguments = arguments}), 4 * arguments);
}

void floods(GasnetRows& rows) {
  const GasnetThreadTeam& team = rows.team();
  for (const unsigned arguments : {0u, 14u}) {
    rows.add_with_ping_pong(
        "am_short_flood", "Short requests one after the other, " + std::to_string(arguments) + " arguments",
        together(
            team, [=, &team](std::uint64_t n) { send_flood(team.node_of(team.partner()), arguments, n); },
            [](std::uint64_t n) { receive_flood(0, n); }),
        4 * arguments);
  }
}

void mediums(GasnetRows& rows, std::size_t bytes) {
  if (bytes > gasnet_AMMaxMedium()) return;
  const auto buffer = std::make_shared<std::vector<char>>(bytes, 1);
  Burst test = [work = round_trips(rows.team(), {.data = buffer->data(), .bytes = bytes}),
                buffer](std::uint64_t n) { return work(n); };
  rows.add_with_copies("am_medium", "Medium request and reply, " + std::to_string(bytes) + " bytes each",
                       std::move(test), &References::ping_pong_copy, "ping-pong with copies", bytes);
}

// Thread 0's messages go to the first bytes of the partner's block, the replies to those of its own.
void longs(GasnetRows& rows, std::size_t bytes) {
  const GasnetThreadTeam& team = rows.team();
  char* const there = team.block_of(team.partner());
  char* const here = team.block_of(0);
  const auto buffer = std::make_shared<std::vector<char>>(bytes, 1);
  Burst test = [work =
                    round_trips(team, {.data = buffer->data(), .bytes = bytes, .there = there, .here = here}),
                buffer](std::uint64_t n) { return work(n); };
  rows.add_with_copies("am_long", "Long request and reply, " + std::to_string(bytes) + " bytes each",
                       std::move(test), &References::ping_pong_store, "ping-pong with one copy", bytes);
}

// ---- several threads of a node at once ----
//
// The time is that of one operation of the job: until the last pair is done, divided by the operations of all
// pairs. The reference is thread 0 and its peer alone in the same job; meanwhile the other threads sleep in
// the kernel, and none of them polls.

void exchange(const GasnetThreadTeam& team, const Pairs& pairs, std::uint64_t n) {
  if (pairs.leads())
    send_requests(team.node_of(pairs.peer()), {}, n, pairs.number());
  else
    serve_requests(n, pairs.number());
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

void add_messages(GasnetRows& rows) {
  const GasnetThreadTeam& team = rows.team();
  if (!team.partner_in_other_process()) return;
  shorts(rows);
  floods(rows);
  for (const std::size_t bytes : {512u, 4096u}) mediums(rows, bytes);
  for (const std::size_t bytes : {512u, 4096u, 65536u}) longs(rows, bytes);
}

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

// SPDX-License-Identifier: BSD-3-Clause
// Active messages between thread 0 and its partner through gasnet.h: round trips of each category, answered
// in kind, and a flood of Short requests.
#include <memory>

#include "bench/gasnet/gasnet_rows.hpp"
#include "bench/gasnet/messages.hpp"

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
      team, [=, &team](std::uint64_t n) { ask(team.node_of(team.partner()), message, n); },
      [](std::uint64_t n) { serve(n); });
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
            team, [=, &team](std::uint64_t n) { flood(team.node_of(team.partner()), arguments, n); },
            [](std::uint64_t n) { soak(0, n); }),
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

}  // namespace

void add_messages(GasnetRows& rows) {
  const GasnetThreadTeam& team = rows.team();
  if (!team.partner_in_other_process()) return;
  shorts(rows);
  floods(rows);
  for (const std::size_t bytes : {512u, 4096u}) mediums(rows, bytes);
  for (const std::size_t bytes : {512u, 4096u, 65536u}) longs(rows, bytes);
}

}  // namespace perf

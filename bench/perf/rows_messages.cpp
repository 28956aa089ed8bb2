// SPDX-License-Identifier: BSD-3-Clause
// Active messages between thread 0 and its partner: round trips of each category, answered in kind, and a
// flood of Short requests.
#include <algorithm>
#include <memory>

#include "bench/perf/messages.hpp"
#include "bench/perf/rows.hpp"

namespace perf {
namespace {

// Both sides of a burst, after a few of the same for warming up. The partner's work: work(n) too.
template <typename Lead, typename Follow>
Burst together(const Crew& crew, Lead lead, Follow follow) {
  return [&crew, lead, follow](std::uint64_t n) {
    if (!crew.takes_part()) return 1.0;
    if (!crew.leads()) {
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

Burst round_trips(const Crew& crew, const Message& message) {
  return together(
      crew, [=, &crew](std::uint64_t n) { ask(crew.partner(), message, n); },
      [](std::uint64_t n) { serve(n); });
}

void shorts(Rows& rows) {
  for (const unsigned arguments : {0u, 1u, 14u, 15u, 16u})
    rows.add_with_ping_pong("am_short",
                            "Short request and reply, " + std::to_string(arguments) + " arguments each",
                            round_trips(rows.crew(), {.arguments = arguments}), 4 * arguments);
}

void floods(Rows& rows) {
  const Crew& crew = rows.crew();
  for (const unsigned arguments : {0u, 14u}) {
    const Message message{.arguments = arguments};
    rows.add_with_ping_pong("am_short_flood",
                            "Short requests one after the other, " + std::to_string(arguments) + " arguments",
                            together(
                                crew, [=, &crew](std::uint64_t n) { flood(crew.partner(), message, n); },
                                [](std::uint64_t n) { soak(0, n); }),
                            4 * arguments);
  }
}

void mediums(Rows& rows, std::size_t bytes) {
  if (bytes > largest_medium()) return;
  const auto buffer = std::make_shared<std::vector<char>>(bytes, 1);
  Burst test = [work = round_trips(rows.crew(), {.data = buffer->data(), .bytes = bytes}),
                buffer](std::uint64_t n) { return work(n); };
  rows.add_with_copies("am_medium", "Medium request and reply, " + std::to_string(bytes) + " bytes each",
                       std::move(test), &References::ping_pong_copy, "ping-pong with copies", bytes);
}

// Thread 0's messages go to the first bytes of the partner's block, the answers to those of its own.
void longs(Rows& rows, std::size_t bytes) {
  const Crew& crew = rows.crew();
  const auto address = reinterpret_cast<std::uint64_t>(crew.mine_here());
  const std::uint64_t there = crew.said_by(crew.partner(), address), here = crew.agree(address);
  const auto buffer = std::make_shared<std::vector<char>>(bytes, 1);
  Burst test = [work =
                    round_trips(crew, {.data = buffer->data(), .bytes = bytes, .there = there, .here = here}),
                buffer](std::uint64_t n) { return work(n); };
  rows.add_with_copies("am_long", "Long request and reply, " + std::to_string(bytes) + " bytes each",
                       std::move(test), &References::ping_pong_store, "ping-pong with one copy", bytes);
}

}  // namespace

void add_messages(Rows& rows) {
  const Crew& crew = rows.crew();
  if (!crew.has_partner() || crew.agree(in_other_process(crew.partner())) == 0) return;
  shorts(rows);
  floods(rows);
  for (const std::size_t bytes : {512u, 4096u}) mediums(rows, bytes);
  for (const std::size_t bytes : {512u, 4096u, 65536u}) longs(rows, bytes);
}

}  // namespace perf

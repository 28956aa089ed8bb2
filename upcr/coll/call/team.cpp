// SPDX-License-Identifier: BSD-3-Clause
// Splitting teams. See team.hpp.
#include "upcr/coll/call/team.hpp"

#include <algorithm>
#include <memory>

#include "conduits/core/base/report/error.hpp"
#include "upcr/coll/call/call.hpp"

namespace upcr::coll {
namespace {

// A member's arguments, which all members gather.
struct Choice {
  std::int32_t color, order;
  Slot thread;
  std::uint32_t index;  // Team::index on that thread
};

}  // namespace

TeamRank Team::rank_of(Slot thread) const noexcept {
  if (threads.empty()) return thread;
  return static_cast<TeamRank>(std::find(threads.begin(), threads.end(), thread) - threads.begin());
}

Team& world(ThreadCtx& c) { return member(c).all; }

Team& split(ThreadCtx& c, Team& parent, int color, int order) {
  Member& m = member(c);
  Call call(c, parent, "bupc_team_split", kInNoSync | kOutNoSync);
  if (m.teams.size() + 1 >= kMaxTeams)
    fatal("bupc_team_split: UPC thread %u is in %u teams already; that is the most", c.thread, kMaxTeams);
  call.enter();
  const std::uint64_t n = parent.size;
  std::vector<Choice> all(n);
  all[0] = {color, order, c.thread, static_cast<std::uint32_t>(m.teams.size() + 1)};
  unsigned tag = 0;
  // All-gather by Bruck's algorithm, as in move/gather_all.cpp.
  for (std::uint64_t have = 1; have < n; have *= 2, ++tag) {
    const std::uint64_t more = std::min(have, n - have);
    call.post(static_cast<TeamRank>((parent.me + n - have) % n), tag, all.data(), more * sizeof(Choice));
    call.recv(static_cast<TeamRank>((parent.me + have) % n), tag, &all[have], more * sizeof(Choice));
  }
  call.leave();
  // all[0] is this member's: rotate into the order of the parent's ranks.
  std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>((n - parent.me) % n), all.end());
  std::erase_if(all, [&](const Choice& other) { return other.color != color; });
  std::stable_sort(all.begin(), all.end(),
                   [](const Choice& a, const Choice& b) { return a.order < b.order; });

  auto team = std::make_unique<Team>();
  team->tuning = parent.tuning;
  team->size = static_cast<TeamRank>(all.size());
  team->index = static_cast<std::uint32_t>(m.teams.size() + 1);
  // Unique, because the first member's thread uses an index for one team only.
  team->key = (std::uint64_t{all[0].thread} + 1) << 32 | all[0].index;
  for (const Choice& member : all) {
    team->threads.push_back(member.thread);
    team->indexes.push_back(static_cast<std::uint16_t>(member.index));
  }
  team->me = team->rank_of(c.thread);
  m.teams.push_back(std::move(team));
  return *m.teams.back();
}

}  // namespace upcr::coll

// SPDX-License-Identifier: BSD-3-Clause
// A team, as one of its members sees it. UPC threads.
#pragma once
#include <cstdint>
#include <vector>

#include "upcr/coll/call/tuning.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr::coll {

using TeamRank = std::uint32_t;

// The most teams that a thread can be in: each has a counter in the thread's inbox. Teams are never freed.
inline constexpr std::uint32_t kMaxTeams = 4096;

struct Team {
  TeamRank me = 0, size = 1;
  std::uint64_t key = 0;    // equal on all members, and unique among the teams of each; 0: all threads
  std::uint32_t index = 0;  // this member's number of the team, below kMaxTeams
  std::uint32_t calls = 0;  // that this member has started
  Tuning tuning = default_tuning();
  std::vector<Slot> threads;           // of each member; empty: the member's number is the thread's
  std::vector<std::uint16_t> indexes;  // `index` of each member; empty: 0

  Slot thread_of(TeamRank member) const noexcept { return threads.empty() ? member : threads[member]; }
  // The rank of a thread; `size` when it is no member.
  TeamRank rank_of(Slot thread) const noexcept;
  std::uint32_t index_of(TeamRank member) const noexcept { return indexes.empty() ? 0 : indexes[member]; }
};

// BUPC_TEAM_ALL of the calling thread.
Team& world(ThreadCtx& c);
// Collective over the parent: the members with the same color form a team, in the order of (order, rank in
// the parent).
Team& split(ThreadCtx& c, Team& parent, int color, int order);

}  // namespace upcr::coll

// SPDX-License-Identifier: BSD-3-Clause
// A team as one of its members knows it, and what each UPC thread keeps for collectives. UPC threads.
#pragma once
#include <cstdint>
#include <vector>

#include "upcr/coll/call/tuning.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr::coll {

using TeamRank = std::uint32_t;

// A thread can be in so many teams: each has a word in the thread's inbox. Teams are never freed.
inline constexpr std::uint32_t kMaxTeams = 4096;

struct Team {
  TeamRank me = 0, size = 1;
  std::uint64_t key = 0;    // the same on all members, of no other team that a member is in; 0: all threads
  std::uint32_t index = 0;  // this member's number for it, below kMaxTeams
  std::uint32_t calls = 0;  // that this member has started
  Tuning tuning = default_tuning();
  std::vector<Slot> threads;           // of each member; empty: the member's number is the thread's
  std::vector<std::uint16_t> indexes;  // `index` of each member; empty: 0

  Slot thread_of(TeamRank member) const noexcept { return threads.empty() ? member : threads[member]; }
  // The member that a thread is; `size` when it is none.
  TeamRank rank_of(Slot thread) const noexcept;
  std::uint32_t index_of(TeamRank member) const noexcept { return indexes.empty() ? 0 : indexes[member]; }
};

// BUPC_TEAM_ALL of the calling thread.
Team& world(ThreadCtx& c);
// Collective over the parent: the members with the same color are a team, in the order of (order, rank in the
// parent).
Team& split(ThreadCtx& c, Team& parent, int color, int order);

}  // namespace upcr::coll

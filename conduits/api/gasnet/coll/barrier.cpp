// SPDX-License-Identifier: BSD-3-Clause
// Barriers of teams, also those at the entry and the exit of collectives: the dissemination barrier (Hensgen,
// Finkel, Manber, Two algorithms for barrier synchronization, 1988), whose messages carry the combined value
// of their sender. Combining is idempotent, so an image may be counted twice.
#include "include/gasnet/barrier.h"
#include "conduits/api/gasnet/coll/algorithms.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/polling.hpp"
#include "conduits/api/gasnet/state/thread.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"

namespace upcr::gasnet::coll {
namespace {

Vote combine(const Vote& a, const Vote& b) {
  if (a.kind == Vote::kMismatch || b.kind == Vote::kAnonymous) return a;
  if (b.kind == Vote::kMismatch || a.kind == Vote::kAnonymous || a.id == b.id) return b;
  return {Vote::kMismatch, 0};
}

Vote vote_of(int id, int flags) {
  if ((flags & GASNET_BARRIERFLAG_MISMATCH) != 0) return {Vote::kMismatch, 0};
  if ((flags & GASNET_BARRIERFLAG_ANONYMOUS) != 0) return {Vote::kAnonymous, 0};
  return {Vote::kNamed, id};
}

Member& open_barrier(const char* function, gasnet_team_handle_t team) {
  Member& m = member(function, team);
  if (m.barrier == nullptr) fatal("%s called without gasnet_coll_barrier_notify() of this team", function);
  return m;
}

int outcome(Member& m, int id, int flags) {
  const Vote agreed = m.barrier->vote;
  m.barrier.reset();
  const bool forced = (flags & GASNET_BARRIERFLAG_MISMATCH) != 0;
  const bool named = (flags & GASNET_BARRIERFLAG_ANONYMOUS) == 0;
  const bool other_name = named && agreed.kind == Vote::kNamed && agreed.id != id;
  return forced || other_name || agreed.kind == Vote::kMismatch ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK;
}

}  // namespace

Task dissemination(Call& c, std::uint32_t step) {
  const TeamRank n = c.size(), me = c.rank();
  for (TeamRank distance = 1; distance < n; ++step) {
    c.send_vote((me + distance) % n, step, c.vote);
    Vote theirs;
    co_await c.until([&] { return c.take_vote((me + n - distance) % n, step, theirs); });
    c.vote = combine(c.vote, theirs);
    if (distance > n / 2) break;  // twice this may overflow TeamRank
    distance *= 2;
  }
}

Task synchronised(Call& c, int flags, Task body) {
  constexpr int kIn = GASNET_COLL_IN_NOSYNC | GASNET_COLL_IN_MYSYNC | GASNET_COLL_IN_ALLSYNC;
  constexpr int kOut = GASNET_COLL_OUT_NOSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_OUT_ALLSYNC;
  // Without any of them: ALLSYNC. NOSYNC and MYSYNC hold without a barrier: a transfer waits for both its
  // images.
  if ((flags & GASNET_COLL_IN_ALLSYNC) != 0 || (flags & kIn) == 0) co_await dissemination(c, kEntry);
  co_await std::move(body);
  if ((flags & GASNET_COLL_OUT_ALLSYNC) != 0 || (flags & kOut) == 0) co_await dissemination(c, kExit);
}

extern "C" {

GASNETI_API void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags) {
  Member& m = member("gasnet_coll_barrier_notify", team);
  if (m.barrier != nullptr)
    fatal("gasnet_coll_barrier_notify called twice without gasnet_coll_barrier_wait() of this team");
  m.barrier = std::make_unique<Call>(m, "gasnet_coll_barrier_wait");
  m.barrier->vote = vote_of(id, flags);
  m.barrier->start(dissemination(*m.barrier, kEntry));
}

GASNETI_API int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags) {
  Member& m = open_barrier("gasnet_coll_barrier_wait", team);
  m.barrier->wait();
  return outcome(m, id, flags);
}

GASNETI_API int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags) {
  Member& m = open_barrier("gasnet_coll_barrier_try", team);
  if (!m.barrier->done()) poll_with_yield();
  return m.barrier->done() ? outcome(m, id, flags) : GASNET_ERR_NOT_READY;
}

GASNETI_API int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags) {
  gasnet_coll_barrier_notify(team, id, flags);
  return gasnet_coll_barrier_wait(team, id, flags);
}

}  // extern "C"

}  // namespace upcr::gasnet::coll

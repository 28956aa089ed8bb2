// SPDX-License-Identifier: BSD-3-Clause
// The C API of teams and of their non-blocking collectives (include/upcr/coll.h). UPC threads.
#include "conduits/core/base/report/error.hpp"
#include "include/upcr/coll.h"
#include "upcr/coll/api/nonblocking.hpp"
#include "upcr/coll/api/tuning_file.hpp"
#include "upcr/coll/move/check.hpp"
#include "upcr/observe/span.hpp"

namespace upcr::coll {
namespace {

Team& team_of(ThreadCtx& c, bupc_team_t handle, const char* function) {
  if (handle == BUPC_TEAM_ALL) return world(c);
  for (const auto& team : member(c).teams)
    if (reinterpret_cast<bupc_team_t>(team.get()) == handle) return *team;
  fatal("%s: argument team of UPC thread %u is %p, which is no team of this thread", function, c.thread,
        static_cast<void*>(handle));
}

bupc_coll_handle_t start_move(const char* function, Collective what, bupc_team_t handle,
                              upcr_shared_ptr_t dst, upcr_shared_ptr_t src, std::size_t nbytes, int flags) {
  ThreadCtx& c = upcr::ctx(function);
  Team& team = team_of(c, handle, function);
  auto* const op = new Operation(c, team, function, flags);
  check_move(op->call, what, dst, src, nbytes);
  Move m{op->call, decode(dst), decode(src), nbytes};
  if (what == Collective::kBroadcast) {
    m.root = team.rank_of(m.src.thread);
    if (m.root >= team.size)
      fatal("%s: argument src of UPC thread %u has affinity to thread %u, which is not in the team", function,
            c.thread, m.src.thread);
  }
  return reinterpret_cast<bupc_coll_handle_t>(start(c, op, run_collective(m, what)));
}

}  // namespace

extern "C" {

UPCRI_API bupc_team_t bupc_team_split(bupc_team_t parent, int mycolor, int myrelrank) {
  const observe::Span span(observe::Kind::kTeam);
  ThreadCtx& c = upcr::ctx("bupc_team_split");
  return reinterpret_cast<bupc_team_t>(&split(c, team_of(c, parent, "bupc_team_split"), mycolor, myrelrank));
}

UPCRI_API bupc_coll_handle_t bupc_team_broadcast(bupc_team_t team, upcr_shared_ptr_t dst,
                                                 upcr_shared_ptr_t src, size_t nbytes, int flags) {
  const observe::Span span(observe::Kind::kBroadcast, {nbytes});
  return start_move("bupc_team_broadcast", Collective::kBroadcast, team, dst, src, nbytes, flags);
}

UPCRI_API bupc_coll_handle_t bupc_team_exchange(bupc_team_t team, upcr_shared_ptr_t dst,
                                                upcr_shared_ptr_t src, size_t nbytes, int flags) {
  const observe::Span span(observe::Kind::kExchange, {nbytes});
  return start_move("bupc_team_exchange", Collective::kExchange, team, dst, src, nbytes, flags);
}

UPCRI_API void bupc_coll_wait(bupc_coll_handle_t handle) {
  const observe::Span span(observe::Kind::kSync);
  ThreadCtx& c = upcr::ctx("bupc_coll_wait");
  if (handle != BUPC_COLL_DONE) finish(c, reinterpret_cast<Operation*>(handle));
}

UPCRI_API void bupc_load_coll_tuning_file(bupc_team_t team, char* file) {
  ThreadCtx& c = upcr::ctx("bupc_load_coll_tuning_file");
  load_tuning(c, team_of(c, team, "bupc_load_coll_tuning_file"), file);
}

UPCRI_API void bupc_store_coll_tuning_file(bupc_team_t team, char* file) {
  ThreadCtx& c = upcr::ctx("bupc_store_coll_tuning_file");
  store_tuning(c, team_of(c, team, "bupc_store_coll_tuning_file"), file);
}

}  // extern "C"

}  // namespace upcr::coll

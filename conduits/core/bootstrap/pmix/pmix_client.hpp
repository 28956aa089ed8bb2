// SPDX-License-Identifier: BSD-3-Clause
// The PMIx calls that a bootstrap needs; they fail by fatal(). PMIx is thread-safe; the collectives are
// called on the main thread, end_job() on any.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

#include "conduits/core/base/system/status.hpp"

namespace upcr::pmix {

struct Member {
  Rank rank = 0, size = 1;
  std::string name_space;
};
// Connects to the launcher's server.
Member join();

// Collective: `bytes` bytes of each rank, in rank order.
void allgather(const Member& me, const void* mine, std::size_t bytes, void* all);
// Collective: the text of `root`. Only its values travel; each process gets them once.
std::string broadcast(const Member& me, Rank root, const std::string& text);
void barrier(const Member& me);
// The same; calls `poll` until all have arrived.
void polling_barrier(const Member& me, const std::function<void()>& poll);

// A socket that hangs up when the connection to the launcher's server breaks; -1: PMIx does not report that.
// Once.
int watched_connection();
bool has_left();

// Disconnects this process from the launcher in order.
void leave();
// The same for all users of PMIx in this process (an MPI library is one).
bool leave_for_all();
// The launcher ends all processes, and its exit status is `status`.
void end_job(int status);

}  // namespace upcr::pmix

// SPDX-License-Identifier: BSD-3-Clause
// The few words of PMIx that a bootstrap needs, with errors in words. PMIx is thread-safe; the collectives
// are called on the main thread, end_job() on any.
#pragma once
#include <cstddef>
#include <string>

#include "conduits/core/base/system/status.hpp"

namespace upcr::pmix {

struct Member {
  Rank rank = 0, size = 1;
  std::string name_space;
};
// Connects to the launcher's server.
Member join();

// Collective: everybody's `bytes` bytes, in rank order.
void allgather(const Member& me, const void* mine, std::size_t bytes, void* all);
void barrier(const Member& me);

// A socket that hangs up when the connection to the launcher's server breaks; -1: that cannot be had. Once.
int watched_connection();
bool has_left();

// Orderly: this process is done with the launcher.
void leave();
// Orderly for everybody who uses PMIx in this process (an MPI library does).
bool leave_for_all();
// The launcher ends all processes, and its exit status is `status`.
void end_job(int status);

}  // namespace upcr::pmix

// SPDX-License-Identifier: BSD-3-Clause
// MPI in upcr_perf and gasnet_perf: who started it, and whether MPI's ranks are the threads.
#pragma once
#include "bench/perf/measure/thread_team.hpp"

namespace perf {

// Does MPI run, with one rank for each thread? The same answer everywhere.
bool threads_are_ranks(const ThreadTeam& team);

}  // namespace perf

// SPDX-License-Identifier: BSD-3-Clause
// Plain verbs between the threads of a job: a connection for each pair (pairs.hpp). For upcr_perf_ibv and
// gasnet_perf_ibv.
#pragma once
#include <string>

#include "bench/perf/measure/pairs.hpp"
#include "bench/perf/verbs/link.hpp"

namespace perf {

// The reason that nothing can be compared with verbs in this job; empty: it can be. All threads get a reason,
// or none does. Collective.
std::string verbs_obstacle(const ThreadTeam& team, const VerbsPort& port);

// Connects each pair; `link` is the calling thread's. Collective.
void connect_pairs(const ThreadTeam& team, const Pairs& pairs, const VerbsPort& port, VerbsLink& link);

}  // namespace perf

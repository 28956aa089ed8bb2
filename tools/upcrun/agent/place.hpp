// SPDX-License-Identifier: BSD-3-Clause
// What an agent arranges for its program before it starts it, and once with upcrun.
#pragma once
#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/plan/plan.hpp"
#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

// Makes this process's standard input a pipe, which the next child inherits. The writing end, non-blocking.
UniqueFd make_standard_input();
// Afterwards: nothing to read here.
void close_standard_input();
// Blocks the signals by which a starter ends its processes, and SIGCHLD. A descriptor to read them from.
UniqueFd watch_starter_and_children();
// More UPC threads than CPUs: tells the MPI library to give the CPU away while it waits.
void yield_cores_when_idle(const Plan& plan);
// Flushes, then waits until upcrun has closed the link, 10 s at most.
void wait_until_closed(Link& link);

}  // namespace upcrun

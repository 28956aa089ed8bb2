// SPDX-License-Identifier: BSD-3-Clause
// What upcrun would do, printed in its stead: --dry-run and --info.
#pragma once
#include <string>

#include "tools/upcrun/plan/plan.hpp"

namespace upcrun {

// The commands that a job of this plan runs, one a line and quoted for a shell: first those that reach the
// hosts, then the program on each of its processes, with the variables that upcrun sets. Throws Failure where
// the job could not be started.
std::string command_text(const Plan& plan);
// Information about the program: its file, its threads, the libraries of the runtime and of MPI.
std::string information_text(const Plan& plan);

}  // namespace upcrun

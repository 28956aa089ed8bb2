// SPDX-License-Identifier: BSD-3-Clause
// Finding and ending the descendants of this process. The caller must be a "subreaper" (prctl(2)): orphaned
// descendants then become its children and can still be found.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/base/process_table.hpp"

namespace upcrun {

void become_subreaper();

// Every live descendant: children, grandchildren, and so on.
std::vector<ProcessId> descendants();

// Descendants that, with their own descendants, have a grace period of their own and get no signal before its
// end.
struct ExemptProcesses {
  std::vector<ProcessId> processes;
  long grace_ms = 0;
};

// Waits until no descendant is left. Sends `signal` to all of them at once, unless it is 0, and SIGKILL after
// `grace_ms`. Returns a description of each process that the kernel does not end even so; as a rule there is
// none.
std::vector<std::string> end_descendants(long grace_ms, int signal, const ExemptProcesses& exempt = {});

}  // namespace upcrun

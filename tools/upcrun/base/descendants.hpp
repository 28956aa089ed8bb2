// SPDX-License-Identifier: BSD-3-Clause
// Finding and ending everything that descends from this process. Whoever calls it is a "subreaper":
// orphans of the job become its children, so that nothing gets out of sight.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/base/process_table.hpp"

namespace upcrun {

void become_subreaper();

// Every live descendant, grandchildren included.
std::vector<ProcessId> descendants();

// These descendants, and theirs, have another time to end by themselves, and are sent no signal before.
struct Exception {
  std::vector<ProcessId> processes;
  long grace_ms = 0;
};

// Waits until no descendant is left. They have `grace_ms` to end by themselves, then they are killed.
// `signal`: what asks them to, at once; 0 when they know. Returns a line about each of those that the kernel
// does not end: as a rule none.
std::vector<std::string> sweep(long grace_ms, int signal, const Exception& exception = {});

}  // namespace upcrun

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

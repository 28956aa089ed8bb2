// SPDX-License-Identifier: BSD-3-Clause
// Finding and ending everything that descends from this process. Whoever calls it is a "subreaper":
// orphans of the job become its children, so that nothing gets out of sight.
#pragma once
#include <sys/types.h>

#include <vector>

namespace upcrun {

void become_subreaper();

// Every live descendant, grandchildren included.
std::vector<pid_t> descendants();

// Sends the signal to all descendants.
void signal_descendants(int signal);

// Waits until no descendant is left. They have `grace_ms` to end by themselves, then they are killed.
// `signal`: what asks them to, at once; 0 when they know.
void sweep(long grace_ms, int signal);

}  // namespace upcrun

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

// Kills descendants and waits for them until none is left. `grace_ms`: how long they may take to end by
// themselves before they are killed.
void sweep(long grace_ms);

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// Finding and ending everything that descends from this process. Whoever calls it is a "subreaper":
// orphans of the job become its children, so that nothing gets out of sight.
#pragma once
#include <sys/types.h>

#include <string_view>
#include <vector>

namespace upcrun {

void become_subreaper();

// Every live descendant, grandchildren included.
std::vector<pid_t> descendants();

// Whether the kernel is ending the process: it runs no more of its program, and its status is to come, or there
// already. False too when there is no such process.
bool is_exiting(pid_t pid);

// Sends the signal to all descendants.
void signal_descendants(int signal);

// Descendants of this name, and theirs, have another time to end by themselves.
struct Exception {
  std::string_view name;  // as ps shows it
  long grace_ms = 0;
};

// Waits until no descendant is left. They have `grace_ms` to end by themselves, then they are killed.
// `signal`: what asks them to, at once; 0 when they know.
void sweep(long grace_ms, int signal, const Exception& exception = {});

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// upcrun is two processes. The guard is the one the user started: it does nothing but wait, so nothing can
// keep it from noticing that the launcher, its child, died, and then it ends what the launcher left. The
// launcher in turn ends the job when the guard is killed. So `kill -9` of either leaves nothing behind.
#pragma once
#include <sys/types.h>

#include <atomic>

#include "tools/upcrun/base/process_table.hpp"

namespace upcrun {

// What the launcher tells the guard, in memory of both, which survives the launcher. Each is written before
// what it is about can matter, and read after the launcher's end.
struct GuardState {
  // mpirun, which has files to remove, and the process that waits for it; until then none.
  ProcessId keeper, mpirun;
  // Processes that the kernel does not end: they have been named, and waiting for them is over.
  std::atomic<bool> unkillable_left = false;
};

struct GuardedLauncher {
  pid_t guard;
  GuardState* notes;
};

// Forks, and returns in the child (the launcher). The guard passes signals on, waits, cleans up, and exits
// with the launcher's status.
GuardedLauncher start_guard();

}  // namespace upcrun

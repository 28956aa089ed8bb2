// SPDX-License-Identifier: BSD-3-Clause
// upcrun consists of two processes. The guard, which the user started, only waits for its child, the
// launcher, which does all the work. When the launcher dies the guard ends the processes that it has left;
// when the guard is killed the launcher ends the job. So `kill -9` of either leaves nothing behind.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <string>

#include "tools/upcrun/base/process_table.hpp"

namespace upcrun {

// State in shared memory that the launcher writes and the guard reads after the launcher's end.
struct GuardState {
  // mpirun, which removes files at its end, and its monitor (launcher_process.hpp); 0 until they are started.
  ProcessId monitor, mpirun;
  // There are processes that the kernel does not end. They have been reported, so the guard does not wait for
  // them.
  std::atomic<bool> unkillable_left = false;
};

struct GuardedLauncher {
  pid_t guard;
  GuardState* state;
};

// Forks, and returns in the child, the launcher. The parent, the guard, forwards signals, waits, cleans up,
// and exits with the launcher's status. Its messages begin with `prefix`.
GuardedLauncher start_guard(const std::string& prefix);

}  // namespace upcrun

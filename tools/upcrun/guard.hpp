// SPDX-License-Identifier: BSD-3-Clause
// upcrun is two processes. The guard is the one the user started: it does nothing but wait, so nothing can
// keep it from noticing that the launcher, its child, died, and then it ends what the launcher left. The
// launcher in turn ends the job when the guard is killed. So `kill -9` of either leaves nothing behind.
#pragma once
#include <sys/types.h>

namespace upcrun {

// Forks. In the child (the launcher) returns the guard's pid. The guard passes signals on, waits, cleans
// up, and exits with the launcher's status.
pid_t start_guard();

}  // namespace upcrun

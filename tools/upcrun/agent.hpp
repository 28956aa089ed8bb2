// SPDX-License-Identifier: BSD-3-Clause
// upcrun's hand where it cannot reach itself: one agent is started in the place of each process of the job,
// by mpirun. It connects to upcrun, is told what to run, and is to the program what upcrun is to its own
// children: the socket for the bootstrap, the pipes for output, the one who sees how it ends. When the link
// to upcrun is gone it ends the program and itself. What mpirun set up for its place (variables, descriptors)
// the program inherits, so MPI works in it. So the library knows no network, and every end of a process is
// seen by its parent, wherever it runs.
#pragma once

namespace upcrun {

// The whole life of the agent. Returns its exit status: 0 unless it never had a job, because what happened to
// the program upcrun knows already and mpirun need not comment.
int run_agent();

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// Communication before MPI_Finalize, without which it may hang. Called by the session, main thread.
//
// In MPICH over UCX, MPI_Finalize closes a process's endpoints, which flushes them, and then waits in the
// launcher's barrier for all processes, where it makes no progress. Over TCP, the flush of an endpoint that
// has sent anything asks the other process and waits for its answer. So a process in the barrier may leave
// another one without its answer for ever: a program that sends one message and calls MPI_Finalize hangs now
// and then (MPICH 4.0.2, UCX 1.13).
//
// This cannot happen if (1) each pair of processes that has used a connection has used it in both directions,
// and (2) no process makes progress between the entry of the first one into MPI_Finalize and its own. Then a
// process asks all its peers before it answers any, on the same connections: a process that has all its
// answers has seen, and answered, all questions. For (1) all processes send each other an empty message; for
// (2) they meet in the launcher's barrier, which needs no progress: once with progress beside it, until all
// those messages have arrived, and once without.
#pragma once

namespace upcr::mpi {

// Collective over the job. MPI_Finalize is to follow without messages in between, whoever calls it. Does
// nothing with other libraries; with other launchers it does nothing and logs that (mpi:info).
void quiesce_before_finalize();

}  // namespace upcr::mpi

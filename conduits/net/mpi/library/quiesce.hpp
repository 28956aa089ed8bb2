// SPDX-License-Identifier: BSD-3-Clause
// What must go before MPI_Finalize so that MPI_Finalize returns. Called by the session, main thread.
//
// MPICH over UCX ends like this in each process: its endpoints are closed, which flushes them, and when that
// has happened the process waits for all others in the launcher's barrier, where it makes no progress any
// more. Over TCP, a flush of an endpoint that has sent anything asks the other process and waits for its
// answer. So a process that is through may leave another one without its answer for ever: a program that
// sends one message and calls MPI_Finalize hangs now and then (MPICH 4.0.2, UCX 1.13).
//
// It cannot happen when (1) each pair of processes that has used a connection has used it in both
// directions, and (2) nobody makes progress between the first process's entry into MPI_Finalize and its own.
// Then a process asks all its peers before it answers any, on the connection on which it answers: whoever has
// all its answers has seen, and answered, all questions. For (1) everybody sends everybody an empty message;
// for (2) there is the launcher's barrier, which needs no progress: once with progress beside it, until all
// those messages have arrived, and once without.
#pragma once

namespace upcr::mpi {

// Collective over the job. MPI_Finalize may follow at once, by us or by the program that initialised MPI;
// messages in between bring the danger back. Does nothing with other libraries, and says so (mpi:info) with
// other launchers.
void quiesce_before_finalize();

}  // namespace upcr::mpi

// SPDX-License-Identifier: BSD-3-Clause
// Direct communication with mpirun, by PMIx (Open MPI) or PMI (MPICH).
//
// The end of the job, on any thread: MPI_Abort prints lines of its own, and, as MPI_Finalize, must not be
// called while another thread is inside MPI.
//
// The launcher's barrier, which works while MPI makes no progress: on the main thread, while no other thread
// communicates with the launcher.
#pragma once
#include <mpi.h>

namespace upcr::mpi {

// Finds the connection to the launcher, at start-up: the environment names it, which a program may change
// later, in some processes only.
void find_launcher();
// A duplicate of the connection to the launcher's process on this host, for the caller to watch for its end
// and to close; -1: there is none, or MPI watches it.
int watched_connection();
// The name of the program at its other end, as `ps` shows it.
const char* watched_process();
// Asks the launcher to end all processes and to exit with `status`. False: there is no connection.
bool end_job(int status);
// Tells the launcher that this process is about to end, as MPI_Finalize does, so that it does not end the
// job. False: there is no connection.
bool notify_launcher_of_exit();
// As end_job(), async-signal-safe; for a status that is not 0.
bool end_job_from_handler(int status) noexcept;

#ifdef MPICH_VERSION
// hydra's only: MPICH may use another protocol with other launchers.
bool has_launcher_barrier();
// To be called in this order; false: the launcher does not answer as expected. Between the two,
// launcher_barrier_over() tells whether leave_launcher_barrier() would return at once.
bool enter_launcher_barrier();
bool launcher_barrier_over();
bool leave_launcher_barrier();
#endif

}  // namespace upcr::mpi

// SPDX-License-Identifier: BSD-3-Clause
// What we say to mpirun directly. The end of the job: MPI_Abort prints lines of its own, and like
// MPI_Finalize it is no call for a thread that finds another one inside MPI; the launcher itself is told by
// one short message, which is what these functions send: PMIx (Open MPI) or PMI (MPICH). Any thread.
//
// And its barrier, which works while MPI makes no progress: for the main thread, which is the only one that
// speaks with the launcher then.
#pragma once
#include <mpi.h>

namespace upcr::mpi {

// Set-up time: finds the launcher's door. It is the environment that says where, and a program may change it
// later, in one process only.
void find_launcher();
// A copy of the connection to the launcher's process on this host, to be watched for its end and closed; -1:
// there is none, or MPI watches it.
int watched_connection();
// The program at its other end, as `ps` shows it.
const char* watched_process();
// The launcher ends all processes, and its exit status is `status`. False: no launcher listens.
bool end_job(int status);
// May this process end without the job being ended for that? As after MPI_Finalize. False: the launcher
// cannot be told.
bool say_goodbye();
// As end_job(), async-signal-safe; for a status that is not 0.
bool end_job_from_handler(int status) noexcept;

#ifdef MPICH_VERSION
// hydra's only: MPICH may speak another language with other launchers.
bool has_launcher_barrier();
// One after the other; false: it does not answer as expected. In between launcher_barrier_over() says whether
// leave_launcher_barrier() would return at once.
bool enter_launcher_barrier();
bool launcher_barrier_over();
bool leave_launcher_barrier();
#endif

}  // namespace upcr::mpi

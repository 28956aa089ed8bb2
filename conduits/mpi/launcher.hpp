// SPDX-License-Identifier: BSD-3-Clause
// Ending a job of mpirun's. MPI_Abort prints lines of its own, and like MPI_Finalize it is no call for a
// thread that finds another one inside MPI; the launcher itself is told by one short message, which is what
// these functions send: PMIx (Open MPI) or PMI (MPICH). Any thread.
#pragma once

namespace upcr::mpi {

// Set-up time: finds the launcher's door.
void find_launcher();
// The launcher ends all processes, and its exit status is `status`. False: no launcher listens.
bool end_job(int status);
// May this process end without the job being ended for that? As after MPI_Finalize. False: the launcher
// cannot be told.
bool say_goodbye();
// As end_job(), async-signal-safe; for a status that is not 0.
bool end_job_from_handler(int status) noexcept;

}  // namespace upcr::mpi

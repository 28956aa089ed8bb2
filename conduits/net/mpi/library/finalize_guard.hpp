// SPDX-License-Identifier: BSD-3-Clause
// A program that calls MPI_Finalize while the conduit still uses MPI would hang or be ended by MPI with words
// about something else. While the guard is up such a call ends the job with a message that says what to do.
// Main thread.
#pragma once

namespace upcr::mpi {

void raise_finalize_guard();
// Before the conduit's own close.
void lower_finalize_guard();

}  // namespace upcr::mpi

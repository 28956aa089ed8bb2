// SPDX-License-Identifier: BSD-3-Clause
// A program that called MPI_Finalize while the conduit uses MPI would hang, or be ended by MPI with a
// misleading message. While the guard is raised such a call ends the job with a message that names the cure.
// Main thread.
#pragma once

namespace upcr::mpi {

void raise_finalize_guard();
// To be called before Session::close().
void lower_finalize_guard();

}  // namespace upcr::mpi

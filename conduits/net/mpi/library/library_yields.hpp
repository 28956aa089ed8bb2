// SPDX-License-Identifier: BSD-3-Clause
// Whether who waits has to give its CPU away by itself, or MPI does. Asked once, at attach.
#pragma once

namespace upcr::mpi {

// Whether the library's own idle look (MPI_Test of a request that is not done) calls sched_yield, as Open
// MPI's does with mpi_yield_when_idle, or by itself where mpirun saw more processes than CPUs. A second one
// after each look halves the speed of such jobs. Read from the environment, where mpirun and upcrun put it:
// MPI's interface to such variables (MPI_T) takes 0.2 s and, in Open MPI 4.1, lowers the thread level.
bool library_yields();

}  // namespace upcr::mpi

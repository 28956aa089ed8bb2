// SPDX-License-Identifier: BSD-3-Clause
// Does MPI yield the CPU when it is idle, so that a waiting thread need not? Asked once, at attach.
#pragma once

namespace upcr::mpi {

// Does the library's MPI_Test call sched_yield for a request that is not complete? Open MPI's does with
// mpi_yield_when_idle, or if mpirun has found more processes than CPUs. A second sched_yield after each poll
// halves the speed of such jobs. Read from the environment, where mpirun and upcrun put it: MPI's interface
// to such variables (MPI_T) takes 0.2 s and, in Open MPI 4.1, lowers the thread level.
bool library_yields();

}  // namespace upcr::mpi

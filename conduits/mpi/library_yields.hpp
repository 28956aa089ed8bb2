// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace upcr::mpi {

// Whether the library's own idle look (MPI_Test of a request that is not done) calls sched_yield, as Open
// MPI's does with mpi_yield_when_idle, which it also sets by itself where processes outnumber CPUs. A second
// one after each look halves the speed of such jobs. False where the library does not say. After MPI_Init,
// main thread.
bool library_yields();

}  // namespace upcr::mpi

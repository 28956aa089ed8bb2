// SPDX-License-Identifier: BSD-3-Clause
// upcr beside MPI in the same processes and the same milliseconds: rows of upcr_perf_openmpi and
// upcr_perf_mpich, which link an MPI library besides. mpi_cases.cpp is theirs; upcr_perf has mpi_none.cpp.
#pragma once
#include <vector>

#include "bench/perf/interleave.hpp"

namespace perf {

// Collective. Nothing where MPI does not run, or where a UPC thread is not an MPI rank.
void add_mpi_cases(const Crew& crew, std::vector<Case>& cases);

}  // namespace perf

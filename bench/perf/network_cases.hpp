// SPDX-License-Identifier: BSD-3-Clause
// upcr beside the network's own interface in the same processes and the same milliseconds: rows of programs
// that link that interface besides. upcr_perf_openmpi and upcr_perf_mpich have mpi_cases.cpp; upcr_perf has
// network_none.cpp.
#pragma once
#include <vector>

#include "bench/perf/interleave.hpp"

namespace perf {

// Collective. Nothing where MPI does not run, or where a UPC thread is not an MPI rank.
void add_network_cases(const Crew& crew, std::vector<Case>& cases);

}  // namespace perf

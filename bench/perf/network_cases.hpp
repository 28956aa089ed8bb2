// SPDX-License-Identifier: BSD-3-Clause
// upcr beside the network's own interface in the same processes and the same milliseconds: rows of programs
// that link that interface besides. upcr_perf_openmpi and upcr_perf_mpich have mpi_cases.cpp, upcr_perf_ibv
// has ibv_cases.cpp; upcr_perf has network_none.cpp.
#pragma once
#include <vector>

#include "bench/perf/interleave.hpp"

namespace perf {

// Collective. MPI: nothing where it does not run, or where a UPC thread is not an MPI rank. Verbs: rows that
// say why they cannot be measured, where there is no device.
void add_network_cases(const Crew& crew, std::vector<Case>& cases);

}  // namespace perf

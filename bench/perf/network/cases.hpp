// SPDX-License-Identifier: BSD-3-Clause
// upcr beside the network's own interface in the same processes and the same milliseconds: what programs have
// that link that interface besides. upcr_perf_openmpi and upcr_perf_mpich have mpi_*.cpp, upcr_perf_ibv has
// verbs/cases.cpp; upcr_perf has network_none.cpp.
#pragma once
#include <string>
#include <vector>

#include "bench/perf/measure/interleave.hpp"

namespace perf {

class UpcrThreadTeam;

// First thing in main(). MPI: where mpirun has started the program and UPCR_CONDUIT is smp nobody else needs
// MPI, so it is initialised here, and ends when the program ends.
void start_network();

// Collective. MPI: nothing where it does not run, or where a UPC thread is not an MPI rank. Verbs: rows that
// say why they cannot be measured, where there is no device.
void add_network_cases(const UpcrThreadTeam& team, std::vector<Case>& cases);

enum class Collective { kBroadcast, kScatter, kGather, kGatherAll, kExchange, kReduce, kReduceAll };

// Collective: the same collective operation by the network's own interface, `bytes` of or for each thread.
struct NetworkReference {
  std::string name;  // empty: it has none, or does not run
  Burst burst;
};
NetworkReference network_reference(const ThreadTeam& team, Collective collective, std::size_t bytes);

}  // namespace perf

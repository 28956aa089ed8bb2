// SPDX-License-Identifier: BSD-3-Clause
// upcr beside the network's own interface in the same processes and the same milliseconds, for programs that
// link that interface: upcr_perf_openmpi and upcr_perf_mpich have mpi/cases.cpp and mpi/collectives.cpp,
// upcr_perf_ibv has verbs/cases.cpp; upcr_perf_ofi has fabric/cases.cpp; upcr_perf has network/none.cpp.
#pragma once
#include <string>
#include <vector>

#include "bench/perf/measure/interleave.hpp"

namespace perf {

class UpcrThreadTeam;

// The first call in main(). MPI: where mpirun has started the program and UPCR_CONDUIT is smp, the runtime
// does not use MPI, so it is initialised here; it ends when the program ends.
void start_network();

// Collective. MPI: adds nothing where MPI does not run, or where UPC threads are not MPI ranks. Verbs: where
// there is no device, the rows report why they cannot be measured.
void add_network_cases(const UpcrThreadTeam& team, std::vector<Case>& cases);

enum class Collective { kBroadcast, kScatter, kGather, kGatherAll, kExchange, kReduce, kReduceAll };

// Collective. The same collective operation by the network's own interface, `bytes` of or for each thread.
struct NetworkReference {
  std::string name;  // empty: the network has none, or does not run
  Burst burst;
};
NetworkReference network_reference(const ThreadTeam& team, Collective collective, std::size_t bytes);

}  // namespace perf

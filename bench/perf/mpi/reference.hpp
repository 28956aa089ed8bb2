// SPDX-License-Identifier: BSD-3-Clause
// MPI in upcr_perf and gasnet_perf: whether MPI's ranks are the threads, and the reference of most rows,
// blocking sends and receives between the two threads of each pair.
#pragma once
#include <mpi.h>

#include <memory>

#include "bench/perf/measure/pairs.hpp"

namespace perf {

// Does MPI run, with one rank for each thread? The same result on all threads.
bool threads_are_ranks(const ThreadTeam& team);

// Round trips of `bytes` there and back, from and to `buffer`, all pairs at once. MPI's ranks are the
// threads.
Burst mpi_round_trips(std::shared_ptr<const Pairs> pairs, MPI_Comm world, const std::shared_ptr<char>& buffer,
                      std::size_t bytes);

}  // namespace perf

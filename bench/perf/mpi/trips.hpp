// SPDX-License-Identifier: BSD-3-Clause
// The reference of rows beside MPI: blocking sends and receives between the two of each pair.
#pragma once
#include <mpi.h>

#include <memory>

#include "bench/perf/measure/pairs.hpp"

namespace perf {

// Round trips of `bytes` there and back, from and to `buffer`, all pairs at once. MPI's ranks are the threads
// (mpi/world.hpp).
Burst mpi_round_trips(std::shared_ptr<const Pairs> pairs, MPI_Comm world, std::shared_ptr<char> buffer,
                      std::size_t bytes);

}  // namespace perf

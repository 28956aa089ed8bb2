// SPDX-License-Identifier: BSD-3-Clause
// Rows of copies that are not contiguous, over conduit mpi, beside the same by MPI: who has the data packs it
// by a loop that knows the length of an element, sends one message, and the other one unpacks it by such a
// loop and answers with an empty message (of a get, asks with one).
#pragma once
#include <mpi.h>
#include <upcr.h>

#include <memory>
#include <vector>

#include "bench/perf/measure/interleave.hpp"
#include "bench/perf/measure/pairs.hpp"

namespace perf {

// `target`: memory of the peer's, 128 KiB at least.
void add_mpi_scattered(const ThreadTeam& team, MPI_Comm world, upcr_shared_ptr_t target,
                       std::shared_ptr<const Pairs> pairs, std::vector<Case>& cases);

}  // namespace perf

// SPDX-License-Identifier: BSD-3-Clause
// Rows of non-contiguous copies over conduit mpi. The reference is the same by MPI: the side that has the
// data packs it in a loop that knows the length of an element and sends one message; the other side unpacks
// it in such a loop and replies with an empty message (for a get, requests it with one). There both sides
// know the places of their own memory. In the rows whose names end with `_addressed` only the one that copies
// knows them, as with a one-sided copy: it sends the addresses, of 8 bytes each.
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
                       const std::shared_ptr<const Pairs>& pairs, std::vector<Case>& cases);

}  // namespace perf

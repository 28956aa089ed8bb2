// SPDX-License-Identifier: BSD-3-Clause
// The check of a completed barrier phase, for the barrier calls and for the end of the program, which is a
// barrier of its own kind. UPC threads.
#pragma once
#include "conduits/core/barrier/barrier.hpp"

namespace upcr {

struct ThreadCtx;

// Returns if all threads passed the same barrier. A barrier on one thread that meets the end of the program
// on another is fatal; so is any other mismatch, or a warning with UPC_BARRIER_MISMATCH_WARNS. One thread of
// the job reports it; the others wait for the end of the job.
void check_barrier(ThreadCtx& c, const BarrierResult& result);

}  // namespace upcr

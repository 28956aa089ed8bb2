// SPDX-License-Identifier: BSD-3-Clause
// What a completed barrier phase means for the thread: shared by the barrier calls and by the end of the
// program, which is a barrier of its own kind. UPC threads.
#pragma once
#include "conduits/core/barrier/barrier.hpp"

namespace upcr {

struct ThreadCtx;

// Nothing when all agreed. A barrier that meets the end of the program is fatal; other disagreement is too,
// or a warning with UPC_BARRIER_MISMATCH_WARNS. One thread of the job speaks; the others wait for the end.
void check_barrier(ThreadCtx& c, const BarrierResult& result);

}  // namespace upcr

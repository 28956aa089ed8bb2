// SPDX-License-Identifier: BSD-3-Clause
// The final barrier (final.cpp).
#pragma once

namespace mupc {

// Collective, at the start of the job.
void prepare_final_barrier();
// The calling thread has passed another barrier phase.
void count_phase();
// An error of `function` when the calling thread has notified a barrier that it has not waited for
// (sync.cpp).
void check_barrier_whole(const char* function);

}  // namespace mupc

// SPDX-License-Identifier: BSD-3-Clause
// Collects and writes the counts of UPC threads when their program ends.
#pragma once

namespace upcr {

struct ThreadCtx;

// Collective, at the orderly end of each thread's program, before its last barrier: UPC thread 0 receives the
// counts of all threads, writes the file and prints the summary. Does nothing in a job without UPCR_STATS.
void report_observations(ThreadCtx& c);
// At an immediate end, on the thread that calls for it: the same with its own counts alone.
void report_own_observations();

}  // namespace upcr

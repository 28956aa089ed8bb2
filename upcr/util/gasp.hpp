// SPDX-License-Identifier: BSD-3-Clause
// Events of the runtime itself for a measurement tool. UPC threads; nothing is reported unless the thread has
// reported an event before (its program is instrumented).
#pragma once

namespace upcr {

struct ThreadCtx;

// Before (`over` false) and after the final barrier of a thread; before upcr_global_exit ends the job.
void gasp_collective_exit(ThreadCtx& c, bool over, int status);
void gasp_noncollective_exit(int status);

}  // namespace upcr

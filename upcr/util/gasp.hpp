// SPDX-License-Identifier: BSD-3-Clause
// Events of the runtime itself for a measurement tool. UPC threads; nothing unless the thread has reported
// an event before (its program is instrumented).
#pragma once

namespace upcr {

struct ThreadCtx;

// Around the final barrier of a thread; and before everything ends at once.
void gasp_collective_exit(ThreadCtx& c, bool over, int status);
void gasp_noncollective_exit(int status);

}  // namespace upcr

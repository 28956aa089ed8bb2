// SPDX-License-Identifier: BSD-3-Clause
// The variables THREADS and MYTHREAD of compiled code.
#pragma once
#include "conduits/core/model/topology.hpp"

namespace upcr::gupc {

// Sets the program's variables for the calling thread: it is UPC thread `thread`, or acts for it, and number
// `local` of its process. Does nothing in programs that have no such variables.
void set_program_threads(Slot thread, int local);

}  // namespace upcr::gupc

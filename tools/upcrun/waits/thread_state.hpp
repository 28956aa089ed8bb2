// SPDX-License-Identifier: BSD-3-Clause
// The UPC threads of a job at one moment, and words for what they do.
#pragma once
#include <string>
#include <vector>

#include "conduits/core/bootstrap/upcrun/thread_report.hpp"

namespace upcrun {

using Activity = upcr::ThreadReport::Activity;

struct ThreadState {
  upcr::ThreadReport report;
  unsigned rank = 0;  // of its process
};
// In the order of their numbers.
using ThreadStates = std::vector<ThreadState>;
using ThreadGroup = std::vector<const ThreadState*>;  // not empty

// "UPC thread 3", "UPC threads 0, 4 and 7", "UPC threads 1 to 5".
std::string names_of(const ThreadGroup& threads);
// "waits in barrier 3", "waits for the lock at 0x1040 of UPC thread 0", "computes"; "wait", "compute" for
// many.
std::string activity_of(const upcr::ThreadReport& report, bool many = false);
// " at heat.upc:12", or nothing when the position is not known.
std::string position_of(const upcr::ThreadReport& report);
// "lock at 0x1040 of UPC thread 0"
std::string lock_name(const upcr::ThreadReport& report);
// "barrier 3", "barrier 3 (upc_barrier 12)"
std::string barrier_name(const upcr::ThreadReport& report);

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// Finds out which process runs on which host: fills in the topology's groups and detects oversubscription. At
// start-up, on the initial thread.
#pragma once
#include <cstdint>

#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr {

// Sets machine, host and window group of this rank. `bypass`: memory of neighbours is mapped. Collective.
void find_neighbours(Bootstrap& bootstrap, bool bypass, Topology* topology);

// Numbers the slots, in the order of ranks. Collective.
void number_slots(Bootstrap& bootstrap, Slot slots_here, Topology* topology);

// Whether this machine has CPUs for all UPC threads and processes of this job.
struct Oversubscription {
  bool oversubscribed = false;  // more threads than CPUs; the same on all processes of the machine
  bool processes_fit = false;   // not more processes than CPUs; the same on all processes of the machine
  std::uint32_t threads_per_cpu = 1;  // rounded down; the same on all processes of the machine
  // If all processes of the machine may use the same CPUs: the number of threads that share them, and the
  // index of this process's first thread among these. Else 0.
  std::uint64_t threads = 0, first_index = 0;
};
// After number_slots(). Collective.
Oversubscription find_oversubscription(Bootstrap& bootstrap, const Topology& topology);

// May a machine be larger than a window group, anywhere in the job? The same result on every rank, without
// communication.
bool machine_exceeds_window_group(bool bypass);

}  // namespace upcr

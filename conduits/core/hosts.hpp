// SPDX-License-Identifier: BSD-3-Clause
// Who is where: fills in the topology's groups and judges how crowded the machine is. Part of core/job, at
// start-up, on the initial thread.
#pragma once
#include "conduits/bootstrap/bootstrap.hpp"
#include "conduits/core/topology.hpp"

namespace upcr {

// Machine, host and window of this rank. `bypass`: memory of neighbours is mapped. Collective.
void find_neighbours(Bootstrap& bootstrap, bool bypass, Topology* topology);

// Slots of each rank, the order of ranks. Collective.
void number_slots(Bootstrap& bootstrap, Slot slots_here, Topology* topology);

// Has the machine more UPC threads than CPUs? After number_slots(). Collective.
bool is_oversubscribed(Bootstrap& bootstrap, const Topology& topology);

// Do windows and machines differ anywhere in the job? The same answer on every rank, without communication.
bool machine_is_larger_than_window(bool bypass);

}  // namespace upcr

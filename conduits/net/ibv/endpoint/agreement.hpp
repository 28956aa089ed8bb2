// SPDX-License-Identifier: BSD-3-Clause
// Settings that all processes of the job agree on at the start of the ibv conduit: each one's devices and
// variables allow some, and the job uses what all of them allow. Main thread.
#pragma once
#include <cstddef>

#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/net/ibv/device/ports.hpp"
#include "conduits/net/ibv/queues/device_queues.hpp"
#include "conduits/net/ibv/xrc/choice.hpp"

namespace upcr::ibv {

struct Agreement {
  Depths depths;
  std::size_t max_rma = 0;         // bytes of one put or get
  bool words_by_message = false;   // aligned accesses of 2, 4 and 8 bytes
  bool shorts_by_message = false;  // of 2 bytes
  bool atomics_by_device = false;  // else by the processor, in messages
  bool iwarp = false;              // some device is
  bool siw = false;                // some device is iWARP in the kernel's software
  XrcDecision xrc;                 // depths.sharers is its part of it
};

// Collective. `ports` are this process's, `connections` how many it may have (rails/connection_limits.hpp).
Agreement agree(Bootstrap& bootstrap, const Topology& topology, PortSet& ports, unsigned connections);

}  // namespace upcr::ibv

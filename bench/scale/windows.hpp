// SPDX-License-Identifier: BSD-3-Clause
// Receive buffers of conduit ibv in a large job: the product's own window pool (conduits/net/ibv/queues),
// with a device whose shared receive queue holds 32,767 buffers, as many adapters' do.
#pragma once
#include <cstdint>

#include "conduits/core/base/system/status.hpp"

namespace upcr::scale {

struct Windows {
  unsigned requests = 0;       // under way to each peer that talks: the least of them
  unsigned connections = 0;    // of a rank
  std::uint64_t messages = 0;  // about shares, sent and received by the rank
  std::uint64_t memory = 0;    // bytes of receive buffers, and of queues at 64 bytes an entry
  bool right = false;          // each credit has its buffers, and all that is dealt is accounted for
};

// One of `ranks` processes has connected with as many others as the algorithms of a large job do, about; then
// it exchanges floods of requests with a few of them.
Windows talk(Rank ranks);

}  // namespace upcr::scale

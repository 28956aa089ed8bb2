// SPDX-License-Identifier: BSD-3-Clause
// The state of a peer, and of a packet that has arrived from it.
#pragma once
#include <cstdint>

#include "conduits/core/transport/credited/channel.hpp"

namespace upcr::ofi {

struct Peer : CreditedPeer {
  Credits flow;
  std::uint32_t deferred = 0;  // packets to it that the provider has not taken yet
  std::uint16_t barriers = 0;  // kBarrier packets from it
  std::uint16_t accesses = 0;  // puts, gets and atomic operations under way
  std::uint8_t silence = 0;    // ticks since it was last heard (endpoint/peer_watch.hpp)
  bool heard = false;          // since the last tick
  bool awaited = false;        // by the end of the job
  bool contacted = false;      // a packet has been sent to it
  bool refused = false;        // during Sends::retry()
};
static_assert(sizeof(Peer) <= 48);

struct Packet {
  Peer* peer;
  char* data;
  std::uint32_t buffer;  // of the receives, or a copy's
  bool is_copy;
};

}  // namespace upcr::ofi

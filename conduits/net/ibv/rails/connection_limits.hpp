// SPDX-License-Identifier: BSD-3-Clause
// How many connections a process may have, rails among them, so that its devices do not run out of queue
// pairs: a first connection that finds none ends the job. Pure; any thread.
#pragma once
#include <algorithm>

namespace upcr::ibv {

struct ConnectionLimits {
  unsigned own;       // connections that are kept: first ones, and rails that this process has made
  unsigned of_peers;  // rails of peers, which end here; further ones are rejected
};

// `chosen`: UPCR_IBV_CONNECTIONS, 0: none. `queue_pairs`: of this process's devices, its share of them.
// `has_rails`: are there any in this job? Then a quarter is left for those of peers.
constexpr ConnectionLimits connection_limits(unsigned chosen, unsigned queue_pairs, bool has_rails) noexcept {
  constexpr unsigned kLeast = 64;
  const unsigned all = std::max(queue_pairs, kLeast), most_own = has_rails ? all - all / 4 : all;
  return {chosen != 0 ? chosen : most_own, all - std::min(chosen != 0 ? chosen : all, all - all / 4)};
}

}  // namespace upcr::ibv

// SPDX-License-Identifier: BSD-3-Clause
// The tree by which agents are started on many hosts: upcrun starts those of at most kFanout hosts itself.
// Where there are more, the first host of each part gets a relay (relay/relay.hpp), which starts the agents
// of its part in the same way. Parts are runs of consecutive hosts, so the ranks of each are consecutive too.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/plan/host.hpp"

namespace upcrun {

// Hosts that one process starts, unless UPCRUN_FANOUT says otherwise: its links, and the copies of a reply
// that leave it. Three levels reach 32,768 hosts.
inline constexpr unsigned kFanout = 32;

// UPCRUN_FANOUT, or kFanout. Throws Failure.
unsigned launch_fanout();

// The hosts in at most `fanout` parts, whose sizes differ by one at most.
std::vector<std::vector<Host>> split_hosts(const std::vector<Host>& hosts, unsigned fanout);

// The number of processes on these hosts.
unsigned processes_on(const std::vector<Host>& hosts);

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// Which hosts are missing when the agents of a job do not connect in time. mpirun's daemons connect to it as
// soon as they run, but mpirun does not report which of them are missing; upcrun finds out by the TCP
// connections of its descendants.
#pragma once
#include <functional>
#include <string>

#include "tools/upcrun/launch/launch_commands.hpp"

namespace upcrun {

// The hosts of this command from which agents are missing: "host b has", "hosts b, c have", or "3 of 4
// processes have" where a batch system has chosen the hosts. `has_connected`: whether the agent of a rank
// has. Open MPI's mpirun starts no process before the daemons of all hosts have connected, so hosts whose
// daemons have connected are left out. May query the name service.
std::string describe_missing_hosts(const LaunchCommand& command,
                                   const std::function<bool(unsigned rank)>& has_connected);

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// upcrun in the place of ssh, for MPICH's mpirun: that one waits for ever for a host that its ssh could not
// reach. Runs the real command, and when it fails tells upcrun.
#pragma once
#include <string>

namespace upcrun {

// In the environment of mpirun: the real command, as a shell takes it.
inline constexpr char kReachVariable[] = "UPCR_REACH";

// `words`: [OPTIONS...] HOST COMMAND..., as for ssh. Returns the command's exit status.
int reach_host(const std::string& command, int count, char** words);

}  // namespace upcrun

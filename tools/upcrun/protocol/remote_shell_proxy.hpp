// SPDX-License-Identifier: BSD-3-Clause
// upcrun in the place of ssh, for MPICH's mpirun: that one waits for ever for a host that its ssh could not
// reach. Runs the real command, and when it fails tells upcrun.
#pragma once
#include <string>
#include <vector>

namespace upcrun {

// In the environment of mpirun: the real command, as a shell takes it.
inline constexpr char kRemoteShellVariable[] = "UPCR_REACH";
// Among the options in front of the host: it is mpirun that calls us in this role. The variable alone does
// not say so, everything that mpirun starts on its own host inherits it.
inline constexpr char kProxyOption[] = "--upcr-reach";
// Where MPICH's mpirun finds options for its ssh.
inline constexpr char kHydraArgumentsVariable[] = "HYDRA_LAUNCHER_EXTRA_ARGS";

// What mpirun needs to know, "NAME=VALUE".
std::vector<std::string> proxy_variables(const std::string& command);
// Forgets them again, in an agent. The user's own options come back with the order.
void clear_proxy_variables();
// Whether `words` are for run_remote_shell_proxy().
bool is_remote_shell_proxy(int count, char** words);
// `words`: [OPTIONS...] HOST COMMAND..., as for ssh, kProxyOption among the options. Returns the command's
// exit status.
int run_remote_shell_proxy(int count, char** words);

}  // namespace upcrun

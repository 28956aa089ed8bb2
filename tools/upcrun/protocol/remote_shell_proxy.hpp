// SPDX-License-Identifier: BSD-3-Clause
// upcrun as a proxy for ssh, for MPICH's mpirun, which waits for ever for a host that its ssh could not
// reach. The proxy runs the real command and reports its failure to upcrun.
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

// Variables for mpirun, each "NAME=VALUE".
std::vector<std::string> proxy_variables(const std::string& command);
// Unsets them in an agent. The launch specification restores the user's own values.
void clear_proxy_variables();
// Whether `words` are for run_remote_shell_proxy().
bool is_remote_shell_proxy(int count, char** words);
// `words`: [OPTIONS...] HOST COMMAND..., as for ssh, kProxyOption among the options. Returns the command's
// exit status.
int run_remote_shell_proxy(int count, char** words);

}  // namespace upcrun

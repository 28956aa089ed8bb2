// SPDX-License-Identifier: BSD-3-Clause
// upcrun as a proxy for ssh, for MPICH's mpirun, which waits for ever for a host that its ssh could not
// reach. The proxy runs the real command and reports its failure to upcrun.
#pragma once
#include <string>
#include <vector>

namespace upcrun {

// The variable, set for mpirun, that holds the real command, as for a shell.
inline constexpr char kRemoteShellVariable[] = "UPCR_REMOTE_SHELL";
// The option, among those in front of the host, by which mpirun calls upcrun as proxy. The variable alone
// would not do, because everything that mpirun starts on its own host inherits it.
inline constexpr char kProxyOption[] = "--upcr-remote-shell";
// The variable from which MPICH's mpirun reads options for its ssh.
inline constexpr char kHydraArgumentsVariable[] = "HYDRA_LAUNCHER_EXTRA_ARGS";

// Variables for mpirun, each "NAME=VALUE".
std::vector<std::string> proxy_variables(const std::string& command);
// Unsets them in an agent. The launch specification restores the user's own values.
void clear_proxy_variables();
// Whether these arguments are a call as proxy.
bool is_remote_shell_proxy(int count, char** arguments_given);
// Takes [OPTIONS...] HOST COMMAND..., as for ssh, with kProxyOption among the options. Returns the command's
// exit status.
int run_remote_shell_proxy(int count, char** arguments_given);

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// upcrun's hand where it cannot reach itself. mpirun starts one agent in the place of each process of the
// job; without mpirun one is started on each host, by ssh, for all the processes there. It connects to
// upcrun, is told what to run, and is to its programs what upcrun is to its own children: the sockets for the
// bootstrap, the pipes for output, the one who sees how they end. When the link to upcrun is gone it ends the
// programs and itself. What mpirun set up for its place (variables, descriptors) the program inherits, so MPI
// works in it. So the library knows no network, and every end of a process is seen by its parent, wherever it
// runs.
#pragma once
#include <string>

namespace upcrun {

// `upcrun --agent`: mpirun's environment says where upcrun is and which process this is.
// `upcrun --agent -`: the first line of standard input does.
inline constexpr char kAgentOption[] = "--agent", kAgentByInput[] = "-";

// That line, for the agent of `count` processes of the ranks from `first` on.
std::string agent_line(unsigned first, unsigned count, const std::string& rendezvous);

// The whole life of the agent. Returns its exit status: 0 unless it never had a job, because what happened to
// the programs upcrun knows already and who started the agent need not comment.
int run_agent(bool by_input);

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// The agent: upcrun's daemon on other hosts, as Slurm's step daemon. mpirun starts one agent for each process
// of the job; without mpirun, ssh starts one on each host for all processes there. The agent connects to
// upcrun, receives a launch specification, and is to its programs what upcrun is to its own children: it
// holds the sockets for the bootstrap and the pipes for output, and waits for their end. When the link to
// upcrun is lost it ends the programs and itself. A program inherits from its agent what mpirun has prepared
// (variables, descriptors), so MPI works in it. Because of agents the library's bootstrap needs no network,
// and every process is observed by its parent.
#pragma once
#include <string>

namespace upcrun {

// Runs the agent. Returns its exit status, which is 0 once it has had a job: upcrun already knows what
// happened to the programs, so mpirun or ssh need not report it. `from`: the argument of --agent (hello.hpp).
int run_agent(const std::string& from);

}  // namespace upcrun

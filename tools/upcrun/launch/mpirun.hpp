// SPDX-License-Identifier: BSD-3-Clause
// mpirun as launcher of agents: which one, and its command line.
#pragma once
#include <string>
#include <vector>

#include "conduits/core/bootstrap/launcher/mpi_names.hpp"
#include "tools/upcrun/plan/hosts.hpp"
#include "tools/upcrun/plan/plan.hpp"

namespace upcrun {

using upcr::MpiLibrary;

// The library that the output of `mpirun --version` names.
MpiLibrary library_of_version(const std::string& text);

struct Mpirun {
  std::string path;
  MpiLibrary library = MpiLibrary::kNone;
  std::string why;  // this one was chosen; for -v
};

// Chooses the mpirun: the one that UPCR_MPIRUN names, or the first in PATH of the library that
// UPCR_MPI_LIBRARY names or the program links, or else of any library. Throws Failure when there is none, or
// none that matches.
Mpirun find_mpirun(const std::string& program);

// The hosts that the options name, with their numbers of processes, or this host; none under a batch system,
// which names them to mpirun.
std::vector<Host> hosts_for_mpirun(const Options& options, unsigned processes);

// Whether mpirun has to call upcrun in the place of ssh (remote_shell_proxy.hpp).
bool needs_remote_shell_proxy(const Mpirun& mpirun, const Options& options, const std::vector<Host>& hosts);

// The whole command line. It starts `self --agent` once for each process.
std::vector<std::string> mpirun_command(const Mpirun& mpirun, const Plan& plan,
                                        const std::vector<Host>& hosts, const std::string& self);

}  // namespace upcrun

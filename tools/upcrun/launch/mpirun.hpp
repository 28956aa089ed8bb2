// SPDX-License-Identifier: BSD-3-Clause
// mpirun as a starter of agents: which one, and what it is told.
#pragma once
#include <string>
#include <vector>

#include "conduits/core/bootstrap/launcher/mpi_names.hpp"
#include "tools/upcrun/plan/hosts.hpp"
#include "tools/upcrun/plan/plan.hpp"

namespace upcrun {

using upcr::MpiLibrary;

// What mpirun --version says about itself.
MpiLibrary library_of_version(const std::string& text);

struct Mpirun {
  std::string path;
  MpiLibrary library = MpiLibrary::kNone;
  std::string why;  // this one was taken; for -v
};

// The mpirun of the library that the program links, or that UPCR_MPI_LIBRARY wants, or the first in PATH;
// what UPCR_MPIRUN names. Throws Failure when there is none, or none that fits.
Mpirun find_mpirun(const std::string& program);

// The hosts that the options name, dealt, or this one; none: what a batch system gives to mpirun.
std::vector<Host> hosts_for_mpirun(const Options& options, unsigned processes);

// Whether mpirun is to call upcrun where it would call ssh (reach.hpp).
bool needs_remote_shell_proxy(const Mpirun& mpirun, const Options& options, const std::vector<Host>& hosts);

// The whole command line, which starts `self --agent` once for each process.
std::vector<std::string> mpirun_command(const Mpirun& mpirun, const Plan& plan,
                                        const std::vector<Host>& hosts, const std::string& self);

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// The programs to start, and their hosts. The plan is made before anything runs, so that what cannot work is
// refused at once.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/binding/binding.hpp"
#include "tools/upcrun/plan/hosts.hpp"
#include "tools/upcrun/plan/options.hpp"

namespace upcrun {

// How the processes are started.
enum class LaunchMethod {
  kFork,         // as children of upcrun
  kMpirun,       // mpirun starts an agent for each process (mpirun.hpp)
  kRemoteShell,  // upcrun starts an agent on each host (host_command.hpp)
};

struct Plan {
  // Throws Failure.
  explicit Plan(Options wanted);

  Options options;
  std::string program;  // path
  unsigned pthreads;    // of one process, at most
  unsigned processes;
  std::vector<Host> hosts;  // for kRemoteShell, with their numbers of processes
  LaunchMethod launch_method;
  Binding binding;

  // "upcrun: ", or the other name by which upcrun was called: what its messages begin with.
  std::string prefix() const { return options.command + ": "; }
  // A note for the user before the job starts, or nothing.
  std::string warning() const;
  // Whether agents start the processes.
  bool remote() const { return launch_method != LaunchMethod::kFork; }
  // The number of the process among those that `binding` was made for.
  unsigned binding_slot(unsigned rank) const {
    return options.host_processes != 0 ? options.host_rank + rank - options.first_rank : rank;
  }
  bool single(unsigned rank) const;  // whether this process has one UPC thread
  // "UPC thread 3", "UPC threads 4-7"
  std::string threads_of(unsigned rank) const;
  // "3", "4-7"
  std::string thread_range(unsigned rank) const;
};

}  // namespace upcrun

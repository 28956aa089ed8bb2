// SPDX-License-Identifier: BSD-3-Clause
// What will be started, and where. The plan is made before anything runs, so that what cannot work is refused
// at once.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/plan/binding.hpp"
#include "tools/upcrun/plan/hosts.hpp"
#include "tools/upcrun/plan/options.hpp"

namespace upcrun {

// How the processes get where they are to run.
enum class Way {
  kFork,         // as children of upcrun's
  kMpirun,       // mpirun starts an agent for each of them (mpirun.hpp)
  kRemoteShell,  // upcrun starts an agent on each host (host_command.hpp)
};

struct Plan {
  // Throws Failure.
  explicit Plan(Options wanted);

  Options options;
  std::string program;  // path
  unsigned pthreads;    // of one process, at most
  unsigned processes;
  std::vector<Host> hosts;  // of kRemoteShell: dealt
  Way way;
  Binding binding;

  // The processes have agents.
  bool remote() const { return way != Way::kFork; }
  // The place of the process among those that `binding` was made for.
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

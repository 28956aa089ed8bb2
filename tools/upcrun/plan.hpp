// SPDX-License-Identifier: BSD-3-Clause
// What will be started, worked out before anything runs, so that what cannot be is refused at once.
#pragma once
#include <string>

#include "tools/upcrun/binding.hpp"
#include "tools/upcrun/options.hpp"

namespace upcrun {

struct Plan {
  // Throws Failure.
  explicit Plan(Options wanted);

  Options options;
  std::string program;  // path
  unsigned pthreads;    // of one process, at most
  unsigned processes;
  // Processes are started by a starter (mpirun.hpp) and its agents, here or elsewhere, not by upcrun itself.
  bool remote;
  Binding binding;

  // The place of the process among those that `binding` was made for.
  unsigned binding_slot(unsigned rank) const {
    return options.host_processes != 0 ? options.host_rank + rank - options.first_rank : rank;
  }
  bool single(unsigned rank) const;  // has one UPC thread
  // "UPC thread 3", "UPC threads 4-7"
  std::string threads_of(unsigned rank) const;
  // "3", "4-7"
  std::string thread_range(unsigned rank) const;
};

}  // namespace upcrun

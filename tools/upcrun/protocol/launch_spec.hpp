// SPDX-License-Identifier: BSD-3-Clause
// The launch specification for an agent: the program, and everything that a child of upcrun would inherit.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/plan/options.hpp"

namespace upcrun {

// The hosts that an agent is responsible for, and how it reaches those behind the first, which is its own.
struct Subtree {
  std::vector<Host> hosts;
  unsigned fanout = 0;                      // hosts that one process starts agents on
  std::string rsh;                          // --rsh; empty: not given
  BatchSystem system = BatchSystem::kNone;  // of the allocation, if all hosts are in one
  std::string allocation_id;
  unsigned start_timeout = 60;  // seconds
  bool verbose = false;

  // To be appended to the text of a LaunchSpec without one.
  std::string format() const;
};

struct LaunchSpec {
  Options options;  // program, arguments, argv0, conduit, shared_heap, bind; threads and pthreads are never 0
  unsigned processes = 1;
  std::string job_id, folder;            // folder: the working directory
  bool merged_output = false;            // stdout and stderr lead to the same place
  std::vector<std::string> environment;  // "NAME=VALUE"
  Subtree subtree;                       // no hosts: the agent was started by mpirun

  // Without the subtree.
  std::string format() const;
  // Returns false when the text is malformed.
  static bool parse(std::string_view text, LaunchSpec* out);
};

// upcrun's environment without the variables that belong to its host or session.
std::vector<std::string> exported_environment();
// In the agent: sets these variables, except those that the launcher or a batch system has set for this
// process or host.
void apply_environment(const std::vector<std::string>& environment);
// In upcrun, before it runs mpirun: unsets the variables by which this process would look like part of
// another MPI job. Variables that configure MPI (OMPI_MCA_*, HYDRA_*, ...) stay.
void clear_outer_job();

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// Starting the processes of the job.
#pragma once
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "conduits/core/bootstrap/upcrun/wire.hpp"
#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/plan/plan.hpp"

namespace upcrun {

// Process state that upcrun changes for itself and restores in its children.
struct InheritedState {
  sigset_t mask;
  rlimit files;
  bool ignores_pipe = false;       // SIGPIPE was ignored when upcrun started
  bool ignores_file_size = false;  // likewise SIGXFSZ
};

InheritedState save_inherited_state();

// From here on, a write to a closed pipe or beyond `ulimit -f` fails with an error instead of a signal.
void ignore_write_signals();
// Restores the signals; for a child, before exec.
void restore_write_signals(const InheritedState& inherited);

// Opens /dev/null for standard streams that are closed: pipes and sockets of upcrun would take their numbers.
void open_missing_standard_streams();

// Raises the soft limit of open files as far as that many processes need, `with_files` for their output.
// Throws Failure when the hard limit is lower.
void raise_file_limit(unsigned processes, bool remote, bool with_files = false);

struct Spawned {
  pid_t pid = -1;
  UniqueFd control;        // upcrun's end of the socket, non-blocking
  UniqueFd output, error;  // reading ends; error is empty when output carries both
};

// A child's report that exec failed: its rank and errno.
struct ExecFailure {
  unsigned rank;
  int error;
};

class Spawner {
 public:
  Spawner(const Plan& plan, const InheritedState& inherited, bool merged_output);

  // Starts one process. `job` is complete except for the descriptor. Throws Failure when the system refuses.
  Spawned spawn(upcr::wire::JobVariable job);
  // The reading end of the pipe that carries ExecFailure records.
  int exec_failures() const noexcept { return failures_read_.get(); }

 private:
  [[noreturn]] void exec_program(unsigned rank, const std::string& variable, const int standard[3]);

  const Plan& plan_;
  const InheritedState& inherited_;
  const bool merged_output_;
  const pid_t launcher_;
  std::vector<char*> arguments_;
  UniqueFd failures_read_, failures_write_;
};

}  // namespace upcrun

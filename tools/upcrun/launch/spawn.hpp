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

// What upcrun itself changed about the process it runs in, and its children get back.
struct InheritedState {
  sigset_t mask;
  rlimit files;
  bool ignores_pipe = false;       // SIGPIPE was ignored when upcrun started
  bool ignores_file_size = false;  // likewise SIGXFSZ
};

InheritedState save_inherited_state();

// Writes of ours to a reader that has left, or beyond `ulimit -f`, are errors from here on, not signals.
void ignore_write_signals();
// In a child, before it becomes another program.
void restore_write_signals(const InheritedState& inherited);

// A program that was started with closed standard streams would find our pipes and sockets in their place.
void open_missing_standard_streams();

// Lifts the soft limit of open files as far as that many processes need. Failure when the hard limit is in
// the way.
void raise_file_limit(unsigned processes, bool remote);

struct Spawned {
  pid_t pid = -1;
  UniqueFd control;        // launcher's end of the socket, non-blocking
  UniqueFd output, error;  // reading ends; error is empty when output carries both
};

// A child reports here, by its rank and errno, that it could not become the program.
struct ExecFailure {
  unsigned rank;
  int error;
};

class Spawner {
 public:
  Spawner(const Plan& plan, const InheritedState& inherited, bool merged_output);

  // Starts one process; `job` needs everything but the descriptor. Throws Failure when the system refuses.
  Spawned spawn(upcr::wire::JobVariable job);
  // Reading end of the pipe that carries ExecFailure records.
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

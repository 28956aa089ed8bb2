// SPDX-License-Identifier: BSD-3-Clause
// The running job: one event loop over signals, processes and output, until no process is left.
// Single-threaded.
#pragma once
#include <poll.h>
#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "tools/upcrun/base/unique_fd.hpp"
#include "tools/upcrun/job/control.hpp"
#include "tools/upcrun/job/output.hpp"
#include "tools/upcrun/job/process_backend.hpp"
#include "tools/upcrun/job/processes.hpp"
#include "tools/upcrun/job/supervisor.hpp"
#include "tools/upcrun/launch/guard.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/plan/plan.hpp"
#include "tools/upcrun/waits/report_socket.hpp"
#include "tools/upcrun/waits/wait_reports.hpp"

namespace upcrun {

class Job {
 public:
  // `guarded`: the guard, whose death ends the job, and the state shared with it. `inherited`: as saved when
  // upcrun started. The references must outlive the job.
  Job(const Plan& plan, const InheritedState& inherited, const GuardedLauncher& guarded);
  // Starts the processes, and returns the job's exit status when none of them is left. Throws Failure.
  int run();

 private:
  std::unique_ptr<ProcessBackend> make_backend();
  // Waits for events, at most `timeout` ms (-1: without limit), and handles them.
  void loop_once(int timeout);
  int poll_timeout() const;
  void handle_signals();
  WaitReports make_wait_reports();
  void quit(const std::string& message);
  void print_report(const std::string& report);
  void check_output();
  void report_output_error();
  void write_remaining_output();
  int output_status() const;

  const Plan& plan_;
  const InheritedState& inherited_;
  const pid_t guard_;
  GuardState& guard_state_;
  Supervisor supervisor_;
  Output output_;
  Control control_;
  WaitReports wait_reports_;
  ReportSocket report_socket_;
  Processes processes_;
  UniqueFd signals_;
  std::unique_ptr<ProcessBackend> backend_;
  bool output_error_reported_ = false;
  bool interrupted_ = false;  // by a signal to upcrun: the output may have no reader any more
  std::vector<pollfd> polled_;
};

}  // namespace upcrun

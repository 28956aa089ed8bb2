// SPDX-License-Identifier: BSD-3-Clause
// The rules of a job: whether an event of a process fails or ends it, with which status, and the time limits
// until everything has ended. Knows nothing of how processes are started and observed (process_backend.hpp).
// Single-threaded.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/unkillable.hpp"
#include "tools/upcrun/job/control.hpp"
#include "tools/upcrun/job/output.hpp"
#include "tools/upcrun/job/process_backend.hpp"
#include "tools/upcrun/job/processes.hpp"
#include "tools/upcrun/launch/guard.hpp"
#include "tools/upcrun/plan/plan.hpp"

namespace upcrun {

class Supervisor final : public ControlListener {
 public:
  static constexpr Milliseconds kReasonGrace = 500;  // for a script to report why its program died
  // For a process without its link to report an error, with a backtrace that takes 5 s at most.
  static constexpr Milliseconds kReportGrace = 6000;
  static constexpr Milliseconds kLauncherTimeout = 10'000;  // for mpirun or ssh to exit after all agents
  static constexpr int kStatusHostLost = 125;               // a host, or the connection to it, was lost

  // The references must outlive this object; they are first used by begin().
  Supervisor(const Plan& plan, Output& output, Control& control, Processes& processes,
             GuardState& guard_state)
      : plan_(plan), output_(output), control_(control), processes_(processes), guard_state_(guard_state) {}
  // The job begins, and with it its time limit.
  void begin(ProcessBackend& backend);

  bool ending() const noexcept { return ending_; }
  // The kernel does not end some processes: upcrun must not wait for them.
  bool unkillable_left() const noexcept { return unkillable_left_; }
  // The exit status of the job, when no process is left.
  int status() const { return ending_ ? status_ : processes_.highest_exit_status() & 0xff; }

  void report(const std::string& text) { output_.message(plan_.prefix() + text); }
  // Ends the job with this status, unless it is ending already, and prints `message` unless it is empty.
  void fail(int status, const std::string& message);
  // SIGQUIT: the job ends when its programs have reported what they do, or at once when called again. True:
  // it ends after forward_quit(), by which the programs get the signal as well.
  bool quit(const std::string& message);
  void forward_quit();
  // Fails the job after `grace` with this reason, unless the system or a script gives a better one before.
  void fail_later(unsigned rank, const std::string& why, Milliseconds grace = kReasonGrace);
  // The program has died; the script that started it may report why.
  void await_reason_of_script(unsigned rank);
  // The process, or the member of the job that it has started, has ended: fails the job unless that was in
  // order.
  void check_exit(unsigned rank);
  // All processes have ended, but not what started them: it gets kLauncherTimeout.
  void limit_launchers();
  // Reports processes that the kernel does not end, one in each line, and gives them up.
  void abandon(const std::vector<std::string>& lines);

  // The earliest time limit; 0: there is none.
  Milliseconds next_deadline() const;
  void check_deadlines();

  void on_joined(unsigned rank, pid_t pid) override;
  void on_leave(unsigned rank, int status, std::uint64_t grace) override;
  void on_exit_request(unsigned rank, int status, bool aborted) override;
  void on_peer_lost(unsigned rank, unsigned peer) override;
  void on_reporting(unsigned rank) override;
  void on_crashed(unsigned rank, int signal) override;
  void on_protocol_error(unsigned rank, const std::string& what) override;
  void on_closed(unsigned rank) override;

 private:
  bool in_grace_period() const noexcept { return grace_over_at_ != 0; }
  void check_unjoined();
  void fail_of_signal(unsigned rank, int number, bool core_dumped);
  void check_ending(Milliseconds now);
  void check_failures(Milliseconds now);
  void end_all();
  void force_end();
  void report_timeout();
  bool quits(const Process& process) const;
  void end_quit(Milliseconds now);

  const Plan& plan_;
  Output& output_;
  Control& control_;
  Processes& processes_;
  GuardState& guard_state_;
  ProcessBackend* backend_ = nullptr;
  bool ending_ = false;
  int status_ = 0;
  UnkillableDetector unkillable_;
  bool unkillable_left_ = false;
  Milliseconds timeout_at_ = 0;  // --timeout
  Milliseconds quit_at_ = 0;     // until then the programs may report, after SIGQUIT
  std::string quit_message_;
  Milliseconds grace_over_at_ =
      0;  // a process has ended the job; until then the others may exit by themselves
  Milliseconds kill_at_ = 0;
  Milliseconds report_until_ = 0;  // until then processes that report an error are waited for
};

}  // namespace upcrun

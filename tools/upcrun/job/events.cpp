// SPDX-License-Identifier: BSD-3-Clause
// Job: events of its processes, and how it reacts to them.
#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "tools/upcrun/base/process_table.hpp"
#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/job/job.hpp"

namespace upcrun {
namespace {

constexpr int kStatusRuntimeError = 255;  // of an error that a process has reported
constexpr char kScriptGaveNoReason[] = "died, and the script that started it gave no reason";

// Whether the process was killed by a signal of a crash, which the runtime reports and upcrun never sends.
bool reported_by_runtime(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return false;
  switch (WTERMSIG(wait_status)) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGABRT:
      return true;
    default:
      return false;
  }
}

}  // namespace

void Job::handle_signals() {
  signalfd_siginfo info;
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
    const int number = static_cast<int>(info.ssi_signo);
    if (number == SIGCHLD) continue;
    interrupted_ = true;
    const bool orphaned = ::getppid() != guard_;
    fail(128 + number, orphaned ? "upcrun: pid " + std::to_string(guard_) + " was killed; the job ends"
                                : "upcrun: " + describe_signal(number) + "; the job ends");
  }
  reap();
}

void Job::reap() {
  int wait_status = 0;
  for (pid_t pid; (pid = ::waitpid(-1, &wait_status, WNOHANG)) > 0;) {
    if (const LaunchCommand* const start = launch_commands_.on_exit(pid, wait_status)) {
      on_launcher_exit(*start);
      continue;
    }
    if (plan_.remote()) continue;
    const auto found = std::find_if(processes_.begin(), processes_.end(),
                                    [pid](const Process& p) { return p.pid == pid && !p.exited; });
    if (found == processes_.end()) continue;  // an orphan that upcrun has adopted
    found->exited = true;
    found->wait_status = wait_status;
    const unsigned rank = static_cast<unsigned>(found - processes_.begin());
    control_.receive(rank);  // packets that it sent before its end
    check_exit(rank);
  }
}

void Job::on_member_exit(unsigned rank) {
  pollfd now{processes_[rank].member_pidfd.get(), POLLIN, 0};
  if (::poll(&now, 1, 0) <= 0) return;  // another program has joined since, and this pidfd is its own
  processes_[rank].member_pidfd.reset();
  processes_[rank].member_exited = true;
  control_.receive(rank);
  check_exit(rank);
}

void Job::handle_exec_failure() {
  ExecFailure failure;
  if (::read(spawner_.exec_failures(), &failure, sizeof failure) != sizeof failure) return;
  std::string message = "upcrun: cannot run '" + escape_control_characters(plan_.program) +
                        "': " + std::strerror(failure.error);
  if (failure.error == ENOENT) message += " (the interpreter that it names is missing)";
  fail(failure.error == ENOENT ? 127 : 126, message);
}

// The process, or the member of the job that it has started, has ended: fails the job unless that was in
// order.
void Job::check_exit(unsigned rank) {
  Process& process = processes_[rank];
  if (ending_ && status_ == 0 && process.exited && reported_by_runtime(process.wait_status))
    status_ = 128 + WTERMSIG(process.wait_status);  // it crashed before it received the packet about the end
  if (ending_ && status_ == 0 && process.exited && process.reporting)
    status_ = kStatusRuntimeError;  // it was killed before it had reported all
  if (ending_ && (grace_over_at_ == 0 || status_ != 0)) return;
  if (process.signalled()) return;  // mpirun is about to give the reason
  if (process.exited && WIFSIGNALED(process.wait_status)) {
    const int number = WTERMSIG(process.wait_status);
    return fail(128 + number, error_prefix() + describe_process(rank) + " was killed by " +
                                  describe_signal(number) +
                                  (WCOREDUMP(process.wait_status) ? ", core dumped" : ""));
  }
  if (ending_) return;  // another process has ended the job, and this one follows
  if (!control_.joined(rank)) return check_unjoined();
  if (control_.finalized(rank)) return;
  const bool member_is_child = process.member == process.pid;
  if (!member_is_child && !process.member_exited) return;  // a script has ended, but its program still runs
  if (!process.exited) return fail_later(rank, kScriptGaveNoReason);
  const int status = WEXITSTATUS(process.wait_status);
  if (!member_is_child && status > 128 && status < 128 + NSIG)  // a shell reports a signal so
    return fail(status,
                error_prefix() + describe_process(rank) + " was killed by " + describe_signal(status - 128));
  fail(status != 0 ? status : 1, error_prefix() + describe_process(rank) + " ended with status " +
                                     std::to_string(status) +
                                     " in the middle of the job (by _exit or exec?); end a job early with " +
                                     (gasnet() ? "gasnet_exit()" : "upcr_global_exit()"));
}

// A process that never joins may end with any status, unless others have joined, which would wait for it.
void Job::check_unjoined() {
  if (ending_ || control_.joined_count() == 0) return;
  for (unsigned rank = 0; rank < size_; ++rank) {
    const Process& process = processes_[rank];
    if (!process.exited || control_.joined(rank)) continue;
    const int status = WEXITSTATUS(process.wait_status);
    return fail(status != 0 ? status : 1,
                error_prefix() + describe_process(rank) + " ended with status " + std::to_string(status) +
                    " without joining the job, which " + std::to_string(control_.joined_count()) + " of " +
                    std::to_string(size_) + " processes have joined; all must run the same program");
  }
}

void Job::on_joined(unsigned rank, pid_t pid) {
  Process& process = processes_[rank];
  process.member = pid;
  process.member_exited = false;
  process.fail_at = 0;
  if (pid != process.pid && !plan_.remote()) {
    process.member_pidfd.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    process.member_exited = !process.member_pidfd;
    if (process.member_exited && errno == ESRCH)
      fail_later(rank, kScriptGaveNoReason);  // it has already ended
  }
  if (plan_.options.verbose) report(describe_process(rank) + " has joined");
  check_unjoined();
  // It has joined too late: the job ends already.
  if (ending_ && grace_over_at_ == 0) control_.broadcast_exit(status_);
}

void Job::on_leave(unsigned rank, int status, std::uint64_t grace) {
  const Milliseconds over_at = now_ms() + static_cast<Milliseconds>(grace) + 1;
  if (ending_ && grace_over_at_ != 0 && status_ == 0 &&
      (status & 0xff) != 0) {  // the orderly end becomes a failure
    status_ = status & 0xff;
    grace_over_at_ = std::min(grace_over_at_, over_at);
  }
  if (ending_) return;
  if (plan_.options.verbose)
    report(describe_process(rank) + " leaves the job with status " + std::to_string(status & 0xff));
  ending_ = true;
  status_ = status & 0xff;
  grace_over_at_ = over_at;
}

void Job::on_exit_request(unsigned rank, int status, bool aborted) {
  if (plan_.options.verbose && !ending_)
    report(describe_process(rank) + (aborted ? " aborts" : " ends") + " the job with status " +
           std::to_string(status & 0xff));
  // The process reported an error before it learned of the orderly end.
  if (aborted && ending_ && status_ == 0) status_ = status & 0xff;
  fail(status, {});
}

// A process that exits closes its connections first, and its exit may take seconds: no answer until then.
void Job::on_peer_lost(unsigned rank, unsigned peer) {
  const Process& process = processes_[peer];
  if (ending_ || over(process)) return;
  if (plan_.remote()) return agents_->send(peer, MessageType::kPeerLost, static_cast<int>(rank));
  if (!is_exiting(process.member != 0 ? process.member : process.pid)) control_.send_alive(rank, peer);
}

void Job::on_reporting(unsigned rank) {
  processes_[rank].reporting = true;
  if (plan_.options.verbose) report("waits for " + describe_process(rank) + ", which reports an error");
  if (agents_) agents_->send_to_all(MessageType::kAwaitReport);
}

// Whether a process that reports an error is to be waited for: its status and message count.
bool Job::awaits_error_report(Milliseconds now) const {
  return now < report_until_ && std::any_of(processes_.begin(), processes_.end(),
                                            [this](const Process& p) { return p.reporting && !over(p); });
}

void Job::on_protocol_error(unsigned rank, const std::string& what) {
  fail(1, error_prefix() + describe_process(rank) + " " + what);
}

void Job::on_closed(unsigned rank) {
  const Process& process = processes_[rank];
  if (ending_ || process.exited || !control_.joined(rank) || control_.finalized(rank)) return;
  fail_later(rank,
             "has left the job without ending (by exec, or by closing the descriptor that leads to upcrun)");
}

// Fails the job after `grace` with this reason, unless the system or a script gives a better one before.
void Job::fail_later(unsigned rank, const std::string& why, Milliseconds grace) {
  if (processes_[rank].fail_at != 0) return;
  processes_[rank].fail_at = now_ms() + grace;
  processes_[rank].fail_reason = why;
}

// Reports processes that the kernel does not end, and gives them up.
void Job::abandon(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) report(line);
  unkillable_left_ = !lines.empty();
  if (unkillable_left_) guard_state_.unkillable_left = true;
}

std::string Job::describe_process(unsigned rank) const {
  const Process& process = processes_[rank];
  if (agents_ && !agents_->has_connected(rank))
    return "process " + std::to_string(rank) + " (not started yet)";
  const std::string host = agents_ ? ", host " + agents_->host(rank) : "";
  const std::string pid =
      "pid " + std::to_string(process.member != 0 ? process.member : process.pid) + host + ")";
  if (control_.joined_count() == 0) return "process " + std::to_string(rank) + " (" + pid;
  if (gasnet()) return "node " + std::to_string(rank) + " (" + pid;
  const std::string threads = plan_.threads_of(rank) + " (rank " + std::to_string(rank) + ", " + pid;
  return plan_.single(rank) ? threads : "the process of " + threads;
}

// The prefix of the runtime that the program uses; of upcrun when the program uses none.
std::string Job::error_prefix() const {
  if (control_.joined_count() == 0) return "upcrun: ";
  return gasnet() ? "*** FATAL ERROR: " : "UPC Runtime error: ";
}

bool Job::over(const Process& process) const {
  return process.exited && (process.member == 0 || process.member == process.pid || process.member_exited);
}

bool Job::all_over() const {
  return std::all_of(processes_.begin(), processes_.end(), [this](const Process& p) { return over(p); });
}

int Job::normal_status() const {
  int status = 0;
  for (const Process& process : processes_) status = std::max(status, WEXITSTATUS(process.wait_status));
  return status;
}

}  // namespace upcrun

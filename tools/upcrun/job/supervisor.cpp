// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/supervisor.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "conduits/core/base/system/terminal.hpp"
#include "tools/upcrun/base/text.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kExitCheckInterval = 50;  // between checks whether a process still exits, or reports
constexpr Milliseconds kKillInterval = 20;       // between SIGKILLs, for processes that were being forked
constexpr Milliseconds kQuitGrace = 3000;  // to report after SIGQUIT, for programs that do not end by it
constexpr int kStatusTimeout = 124;
constexpr int kStatusRuntimeError = 255;  // of an error that a process has reported
constexpr char kScriptGaveNoReason[] = "died, and the script that started it gave no reason";

// The reason for the job's end, "UPC Runtime error: ...", as programs lay out theirs.
std::string for_terminal(const std::string& message) {
  const std::size_t prefix = message.find(": ");
  if (::isatty(STDERR_FILENO) == 0 || prefix == std::string::npos) return message;
  const char* const no_color = std::getenv("NO_COLOR");
  const bool coloured = no_color == nullptr || *no_color == '\0';
  std::string buffer(2 * message.size() + 64, '\0');
  upcr::SafeText text(buffer.data(), buffer.size());
  const std::string_view all = message;
  upcr::add_for_terminal(text, all.substr(0, prefix + 2), all.substr(prefix + 2), {},
                         coloured ? upcr::Colour::kError : upcr::Colour::kNone);
  return {text.data(), text.size()};
}

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

void Supervisor::begin(ProcessBackend& backend) {
  backend_ = &backend;
  if (plan_.options.timeout)
    timeout_at_ = now_ms() + static_cast<Milliseconds>(*plan_.options.timeout * 1000);
}

void Supervisor::check_exit(unsigned rank) {
  Process& process = processes_[rank];
  if (ending_ && status_ == 0 && process.exited && reported_by_runtime(process.wait_status))
    status_ = 128 + WTERMSIG(process.wait_status);  // it crashed before it received the packet about the end
  if (ending_ && status_ == 0 && process.exited && process.reporting)
    status_ = kStatusRuntimeError;  // it was killed before it had reported all
  if (ending_ && (!in_grace_period() || status_ != 0)) return;
  if (process.signalled()) return;  // mpirun is about to give the reason
  if (quits(process)) return end_quit(now_ms());
  if (process.exited && WIFSIGNALED(process.wait_status)) {
    const int number = WTERMSIG(process.wait_status);
    return fail_of_signal(rank, number, WCOREDUMP(process.wait_status));
  }
  if (ending_) return;  // another process has ended the job, and this one follows
  if (!control_.joined(rank)) return check_unjoined();
  if (control_.finalized(rank)) return;
  const bool member_is_child = process.member == process.pid;
  if (!member_is_child && !process.member_exited) return;  // a script has ended, but its program still runs
  if (!process.exited) return await_reason_of_script(rank);
  const int status = WEXITSTATUS(process.wait_status);
  if (!member_is_child && status > 128 && status < 128 + NSIG)  // a shell reports a signal so
    return fail_of_signal(rank, status - 128, false);
  fail(status != 0 ? status : 1, processes_.error_prefix() + processes_.describe(rank) +
                                     " ended with status " + std::to_string(status) +
                                     " in the middle of the job (by _exit or exec?); end a job early with " +
                                     (processes_.gasnet() ? "gasnet_exit()" : "upcr_global_exit()"));
}

// What the process has reported itself is not said again, unless that is in a file.
void Supervisor::fail_of_signal(unsigned rank, int number, bool core_dumped) {
  const bool reported = processes_[rank].reported_signal == number && plan_.options.output.empty();
  std::string message;
  if (!reported)
    message = processes_.error_prefix() + processes_.describe(rank) + " was killed by " +
              describe_signal(number) + (core_dumped ? ", core dumped" : "");
  else if (core_dumped)
    report(processes_.describe(rank) + " has left a core dump");
  fail(128 + number, message);
}

// A process that never joins may end with any status, unless others have joined, which would wait for it.
void Supervisor::check_unjoined() {
  if (ending_ || control_.joined_count() == 0) return;
  for (unsigned rank = 0; rank < processes_.size(); ++rank) {
    const Process& process = processes_[rank];
    if (!process.exited || control_.joined(rank)) continue;
    const int status = WEXITSTATUS(process.wait_status);
    return fail(status != 0 ? status : 1,
                processes_.error_prefix() + processes_.describe(rank) + " ended with status " +
                    std::to_string(status) + " without joining the job, which " +
                    std::to_string(control_.joined_count()) + " of " + std::to_string(processes_.size()) +
                    " processes have joined; all must run the same program");
  }
}

void Supervisor::on_joined(unsigned rank, pid_t pid) {
  Process& process = processes_[rank];
  process.member = pid;
  process.member_exited = false;
  process.fail_at = 0;
  process.reported_signal = 0;
  if (pid != process.pid) backend_->on_descendant_joined(rank);
  if (plan_.options.verbose) report(processes_.describe(rank) + " has joined");
  check_unjoined();
  // It has joined too late: the job ends already.
  if (ending_ && !in_grace_period()) control_.broadcast_exit(status_);
}

void Supervisor::on_leave(unsigned rank, int status, std::uint64_t grace) {
  const Milliseconds over_at = now_ms() + static_cast<Milliseconds>(grace) + 1;
  if (ending_ && in_grace_period() && status_ == 0 &&
      (status & 0xff) != 0) {  // the orderly end becomes a failure
    status_ = status & 0xff;
    grace_over_at_ = std::min(grace_over_at_, over_at);
  }
  if (ending_) return;
  if (plan_.options.verbose)
    report(processes_.describe(rank) + " leaves the job with status " + std::to_string(status & 0xff));
  ending_ = true;
  status_ = status & 0xff;
  grace_over_at_ = over_at;
}

void Supervisor::on_exit_request(unsigned rank, int status, bool aborted) {
  if (plan_.options.verbose && !ending_)
    report(processes_.describe(rank) + (aborted ? " aborts" : " ends") + " the job with status " +
           std::to_string(status & 0xff));
  // The process reported an error before it learned of the orderly end.
  if (aborted && ending_ && status_ == 0) status_ = status & 0xff;
  fail(status, {});
}

void Supervisor::on_peer_lost(unsigned rank, unsigned peer) {
  if (!ending_ && !processes_[peer].ended()) backend_->on_peer_lost(rank, peer);
}

void Supervisor::on_reporting(unsigned rank) {
  processes_[rank].reporting = true;
  if (plan_.options.verbose) report("waits for " + processes_.describe(rank) + ", which reports an error");
  backend_->await_report();
}

void Supervisor::on_crashed(unsigned rank, int signal) { processes_[rank].reported_signal = signal; }

void Supervisor::on_protocol_error(unsigned rank, const std::string& what) {
  fail(1, processes_.error_prefix() + processes_.describe(rank) + " " + what);
}

void Supervisor::on_closed(unsigned rank) {
  const Process& process = processes_[rank];
  if (ending_ || process.exited || !control_.joined(rank) || control_.finalized(rank)) return;
  fail_later(rank,
             "has left the job without ending (by exec, or by closing the descriptor that leads to upcrun)",
             kReportGrace);
}

void Supervisor::fail_later(unsigned rank, const std::string& why, Milliseconds grace) {
  if (processes_[rank].fail_at != 0) return;
  processes_[rank].fail_at = now_ms() + grace;
  processes_[rank].fail_reason = why;
}

void Supervisor::await_reason_of_script(unsigned rank) { fail_later(rank, kScriptGaveNoReason); }

void Supervisor::abandon(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) report(line);
  unkillable_left_ = !lines.empty();
  if (unkillable_left_) guard_state_.unkillable_left = true;
}

void Supervisor::fail(int status, const std::string& message) {
  if (ending_ && !in_grace_period()) return;
  if (!ending_ || status_ == 0) status_ = status & 0xff;  // a failure overrides an orderly end
  ending_ = true;
  if (!message.empty()) output_.message(for_terminal(message));
  end_all();
}

bool Supervisor::quit(const std::string& message) {
  if (ending_ || quit_at_ != 0) {
    fail(128 + SIGQUIT, message);
    return false;
  }
  quit_message_ = message;
  quit_at_ = now_ms() + kQuitGrace;
  return true;
}

void Supervisor::forward_quit() {
  if (ending_) return;
  quit_at_ = now_ms() + kQuitGrace;
  backend_->forward_signal(SIGQUIT);
}

// Whether the process has ended by the signal that it was sent, or by a script that has.
bool Supervisor::quits(const Process& process) const {
  if (ending_ || quit_at_ == 0 || !process.exited) return false;
  const int status = process.wait_status;
  return WIFSIGNALED(status) ? WTERMSIG(status) == SIGQUIT : WEXITSTATUS(status) == 128 + SIGQUIT;
}

void Supervisor::end_quit(Milliseconds now) {
  bool all = true;
  for (const Process& process : processes_) all = all && process.exited;
  if (!all && now < quit_at_) return;
  output_.start_draining();  // what they have written comes before the message
  fail(128 + SIGQUIT, quit_message_);
}

void Supervisor::end_all() {
  grace_over_at_ = 0;
  output_.start_draining();
  control_.broadcast_exit(status_);
  const Milliseconds grace = backend_->end_programs();
  kill_at_ = now_ms() + grace;
  report_until_ = kill_at_ + upcr::wire::kReportGrace;
  if (grace == 0) force_end();
}

// Ends what has not ended in time: first by SIGTERM to the launchers of agents, then by SIGKILL to all
// descendants.
void Supervisor::force_end() {
  if (const Milliseconds grace = backend_->terminate_launchers(); grace != 0) {
    kill_at_ = now_ms() + grace;
    return;
  }
  const bool all_unkillable = unkillable_.kill_descendants();
  backend_->close_links();
  kill_at_ = now_ms() + kKillInterval;
  if (all_unkillable) abandon(unkillable_.describe());
}

void Supervisor::limit_launchers() {
  if (!ending_ && kill_at_ == 0) kill_at_ = now_ms() + kLauncherTimeout;
}

Milliseconds Supervisor::next_deadline() const {
  Milliseconds next = 0;
  const auto consider = [&next](Milliseconds at) {
    if (at != 0) next = next == 0 ? at : std::min(next, at);
  };
  consider(kill_at_);
  consider(grace_over_at_);
  if (!ending_ || in_grace_period()) consider(timeout_at_);
  if (!ending_) {
    consider(quit_at_);
    for (const Process& process : processes_) consider(process.fail_at);
  }
  return next;
}

void Supervisor::check_deadlines() {
  const Milliseconds now = now_ms();
  if (ending_) return check_ending(now);
  if (kill_at_ != 0 && now >= kill_at_) return force_end();
  if (quit_at_ != 0)
    end_quit(now);
  else
    check_failures(now);
  if (timeout_at_ != 0 && now >= timeout_at_ && !ending_) report_timeout();
}

void Supervisor::check_ending(Milliseconds now) {
  if (in_grace_period() && timeout_at_ != 0 && now >= timeout_at_) report_timeout();
  if (in_grace_period() && now >= grace_over_at_) end_all();
  if (kill_at_ == 0 || now < kill_at_) return;
  // The status of a process that reports an error counts, and its message.
  if (now < report_until_ && processes_.any_reporting())
    kill_at_ = now + kExitCheckInterval;
  else
    force_end();
}

// Fails the job if the time is over in which a better reason might have come.
void Supervisor::check_failures(Milliseconds now) {
  for (unsigned rank = 0; rank < processes_.size(); ++rank) {
    Process& process = processes_[rank];
    if (process.fail_at == 0 || now < process.fail_at) continue;
    if (backend_->awaits_exit(rank, now)) {
      process.fail_at = now + kExitCheckInterval;
      continue;
    }
    process.fail_at = 0;
    if (!control_.finalized(rank) || process.lost)
      fail(process.lost ? kStatusHostLost : 1,
           processes_.error_prefix() + processes_.describe(rank) + " " + process.fail_reason);
  }
}

void Supervisor::report_timeout() {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", *plan_.options.timeout);
  report(std::string("--timeout: the job has not ended within ") + seconds + " s");
  for (unsigned rank = 0; rank < processes_.size(); ++rank)
    if (!processes_[rank].ended()) report("  " + processes_.describe(rank) + " " + control_.state(rank));
  backend_->report_launchers();
  fail(kStatusTimeout, {});
}

}  // namespace upcrun

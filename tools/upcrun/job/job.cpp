// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/job.hpp"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "tools/upcrun/base/descendants.hpp"
#include "tools/upcrun/base/signals.hpp"
#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/job/local_processes.hpp"
#include "tools/upcrun/job/remote_processes.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kOrphanGrace = 250;  // for background processes that outlive the program
constexpr Milliseconds kDrainTime = 500;    // to write the rest of the output after a signal
constexpr int kStatusOutputError = 74;      // EX_IOERR of <sysexits.h>

UniqueFd open_signal_fd() {
  const sigset_t set = launcher_signals();
  (void)::sigprocmask(SIG_BLOCK, &set, nullptr);
  return UniqueFd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

}  // namespace

Job::Job(const Plan& plan, const InheritedState& inherited, const GuardedLauncher& guarded)
    : plan_(plan),
      inherited_(inherited),
      guard_(guarded.guard),
      guard_state_(*guarded.state),
      supervisor_(plan, output_, control_, processes_, guard_state_),
      output_(plan.processes > 1 || plan.options.label, plan.options.output, plan.processes),
      control_(plan.processes, supervisor_),
      wait_reports_(make_wait_reports()),
      report_socket_(guard_, [this](ReportSocket::Done done) { wait_reports_.request(std::move(done)); }),
      processes_(plan, control_),
      signals_(open_signal_fd()) {
  control_.set_wait_reports(wait_reports_);
}

WaitReports Job::make_wait_reports() {
  return WaitReports(WaitReports::Job{
      plan_.processes, [this](unsigned rank, int question) { return control_.ask(rank, question); },
      [this](unsigned rank) { return processes_.describe(rank); },
      [this](const std::string& report) { print_report(report); }, [this] { return processes_.gasnet(); }});
}

void Job::print_report(const std::string& report) {
  for (std::size_t at = 0, end; (end = report.find('\n', at)) != std::string::npos; at = end + 1)
    output_.message(report.substr(at, end - at));
}

std::unique_ptr<ProcessBackend> Job::make_backend() {
  if (plan_.remote()) {
    clear_outer_job();
    return std::make_unique<RemoteProcesses>(plan_, inherited_, guard_state_, output_, control_, processes_,
                                             supervisor_);
  }
  return std::make_unique<LocalProcesses>(plan_, inherited_, output_, control_, processes_, supervisor_);
}

int Job::run() {
  become_subreaper();
  backend_ = make_backend();
  supervisor_.begin(*backend_);
  while (backend_->start_some()) loop_once(0);
  while (!supervisor_.unkillable_left() && !backend_->finished()) loop_once(poll_timeout());
  // Ends processes that the program, a killed script or mpirun left in the background. An mpirun whose
  // monitor was killed has got SIGTERM already and removes files: a second signal would interrupt that.
  if (!supervisor_.unkillable_left())
    supervisor_.abandon(
        end_descendants(kOrphanGrace, SIGTERM, {backend_->without_monitor(), kMpirunTermGrace}));
  control_.temporary_files().remove_all();
  output_.finish();
  if (plan_.options.verbose)
    supervisor_.report("the job ends with status " + std::to_string(supervisor_.status()));
  write_remaining_output();
  return supervisor_.status() != 0 ? supervisor_.status() : output_status();
}

void Job::loop_once(int timeout) {
  polled_.assign(1, {signals_.get(), POLLIN, 0});
  backend_->collect(polled_);
  const std::size_t first_output = polled_.size();
  output_.collect(polled_);
  const std::size_t first_report = polled_.size();
  report_socket_.collect(polled_);
  if (::poll(polled_.data(), polled_.size(), timeout) > 0) {
    output_.handle(polled_.data() + first_output, first_report - first_output);
    report_socket_.handle(polled_.data() + first_report, polled_.size() - first_report);
    // The first event is the reason for the rest: the death of a child for messages of the other processes,
    // the messages of an agent for the end of its launcher.
    if (plan_.remote()) backend_->handle(polled_.data() + 1, first_output - 1);
    if (polled_[0].revents != 0) handle_signals();
    if (!plan_.remote()) backend_->handle(polled_.data() + 1, first_output - 1);
  }
  backend_->flush();
  check_output();
  backend_->check_deadlines();
  supervisor_.check_deadlines();
  wait_reports_.check_deadlines();
}

int Job::poll_timeout() const {
  Milliseconds next = 0;
  for (const Milliseconds at :
       {supervisor_.next_deadline(), backend_->next_deadline(), wait_reports_.next_deadline()})
    if (at != 0 && (next == 0 || at < next)) next = at;
  if (next == 0) return -1;
  return static_cast<int>(std::clamp<Milliseconds>(next - now_ms(), 0, 60'000));
}

void Job::quit(const std::string& message) {
  if (!supervisor_.quit(message)) return;
  wait_reports_.request([this](const std::string& report) {
    print_report(report);
    supervisor_.forward_quit();
  });
}

void Job::handle_signals() {
  signalfd_siginfo info;
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
    const int number = static_cast<int>(info.ssi_signo);
    if (number == SIGCHLD) continue;
    if (const int passed_on = signal_for_programs(number); passed_on != 0) {
      backend_->forward_signal(passed_on);
      continue;
    }
    interrupted_ = true;
    const bool orphaned = ::getppid() != guard_;
    if (number == SIGQUIT && !orphaned) {
      quit(plan_.prefix() + describe_signal(number) + "; the job ends");
      continue;
    }
    supervisor_.fail(128 + number,
                     orphaned ? plan_.prefix() + "pid " + std::to_string(guard_) + " was killed; the job ends"
                              : plan_.prefix() + describe_signal(number) + "; the job ends");
  }
  int wait_status = 0;
  for (pid_t pid; (pid = ::waitpid(-1, &wait_status, WNOHANG)) > 0;)
    backend_->on_child_exit(pid, wait_status);
}

// Ends the job when standard output cannot be written, or is a pipe that its reader has closed.
void Job::check_output() {
  if (!output_.file_error().empty() || output_.stdout_error() != 0) {
    report_output_error();
    supervisor_.fail(kStatusOutputError, {});
  } else if (output_.stdout_broken()) {
    supervisor_.fail(128 + SIGPIPE, {});  // as of any program whose reader has closed the pipe
  }
}

// Reports it once. An error of standard error cannot be reported: it shows in the status, and does not end
// the job.
void Job::report_output_error() {
  if (output_error_reported_) return;
  output_error_reported_ = true;
  supervisor_.report("cannot write " +
                     (output_.file_error().empty()
                          ? std::string("standard output: ") + std::strerror(output_.stdout_error())
                          : output_.file_error()));
}

void Job::write_remaining_output() {
  const Milliseconds deadline = now_ms() + kDrainTime;
  while (!output_.drained()) {
    polled_.assign(1, {signals_.get(), POLLIN, 0});
    output_.collect(polled_);
    if (::poll(polled_.data(), polled_.size(), interrupted_ ? 50 : -1) > 0) {
      output_.handle(polled_.data() + 1, polled_.size() - 1);
      if (polled_[0].revents != 0) handle_signals();
    }
    if (interrupted_ && now_ms() >= deadline) return;
  }
  if (!output_.stdout_broken()) output_.close();
  if (output_.stdout_error() != 0) report_output_error();
}

// The exit status of a job that has succeeded, except perhaps for its output.
int Job::output_status() const {
  if (!output_.file_error().empty() || output_.stdout_error() != 0) return kStatusOutputError;
  if (output_.stdout_broken()) return 128 + SIGPIPE;
  return output_.stderr_error() != 0 ? kStatusOutputError : 0;  // messages of the program are lost
}

}  // namespace upcrun

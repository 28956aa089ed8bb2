// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/job.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tools/upcrun/base/descendants.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/signals.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kExitCheckInterval = 50;  // between checks whether a process still exits, or reports
constexpr Milliseconds kGrace = upcr::wire::kExitGrace;  // between the packet about the job's end and SIGKILL
constexpr Milliseconds kOrphanGrace = 250;               // for background processes that outlive the program
constexpr Milliseconds kDrainTime = 500;                 // to write the rest of the output after a signal
constexpr unsigned kStartsPerPoll = 32;               // so that the start of a large job can be interrupted
constexpr Milliseconds kTerminalCheckInterval = 500;  // between checks whether upcrun is in the foreground
constexpr int kStatusTimeout = 124;
constexpr int kStatusOutputError = 74;  // EX_IOERR of <sysexits.h>

UniqueFd open_signal_fd() {
  const sigset_t set = watched_signals();
  (void)::sigprocmask(SIG_BLOCK, &set, nullptr);
  return UniqueFd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

}  // namespace

Job::Job(const Plan& plan, const InheritedState& inherited, const GuardedLauncher& guarded)
    : plan_(plan),
      inherited_(inherited),
      size_(plan.processes),
      guard_(guarded.guard),
      guard_state_(*guarded.state),
      output_(size_ > 1 || plan.options.label),
      control_(size_, *this),
      spawner_(plan, inherited, output_.merged()),
      signals_(open_signal_fd()),
      processes_(size_),
      launch_commands_(Milliseconds{plan.options.start_timeout} * 1000) {}

int Job::run() {
  become_subreaper();
  if (plan_.options.timeout)
    timeout_at_ = now_ms() + static_cast<Milliseconds>(*plan_.options.timeout * 1000);
  if (plan_.remote())
    start_remote_processes();
  else
    start_processes();
  while (!finished()) loop_once(poll_timeout());
  // Ends processes that the program, a killed script or mpirun left in the background. An mpirun whose
  // monitor was killed has got SIGTERM already and removes files: a second signal would interrupt that.
  if (!unkillable_left_)
    abandon(end_descendants(kOrphanGrace, SIGTERM, {launch_commands_.without_monitor(), kMpirunTermGrace}));
  control_.temporary_files().remove_all();
  if (!ending_) status_ = normal_status();
  output_.finish();
  if (plan_.options.verbose) report("the job ends with status " + std::to_string(status_));
  write_remaining_output();
  return status_;
}

std::string Job::new_job_id() const {
  unsigned long random = 0;
  (void)!::getrandom(&random, sizeof random, 0);
  char text[64];
  std::snprintf(text, sizeof text, "%d-%016lx", static_cast<int>(::getpid()), random);
  return text;
}

bool Job::finished() { return unkillable_left_ || (plan_.remote() ? remote_over() : all_over()); }

upcr::wire::JobVariable Job::describe_job() const {
  upcr::wire::JobVariable job;
  job.size = size_;
  job.threads = plan_.options.threads;
  job.pthreads = plan_.pthreads;
  job.id = new_job_id();
  return job;
}

void Job::start_processes() {
  upcr::wire::JobVariable job = describe_job();
  if (plan_.options.verbose)
    report(plan_.program + ": " + std::to_string(job.threads) + " UPC threads in " + std::to_string(size_) +
           " processes, conduit " +
           (plan_.options.conduit.empty() ? "as configured" : plan_.options.conduit) + ", shared heap " +
           (plan_.options.shared_heap.empty() ? "as configured" : plan_.options.shared_heap));
  for (job.rank = 0; job.rank < size_ && !ending_; ++job.rank) {
    start_process(job);
    if (job.rank % kStartsPerPoll == kStartsPerPoll - 1) loop_once(0);
  }
  for (Process& process : processes_)
    process.exited |= process.pid < 0;  // the job ended before they were started
}

void Job::start_process(const upcr::wire::JobVariable& job) {
  Spawned child;
  try {
    child = spawner_.spawn(job);
  } catch (const Failure& failure) {
    return fail(failure.status, "upcrun: process " + std::to_string(job.rank) + ": " + failure.message);
  }
  processes_[job.rank].pid = child.pid;
  control_.add(job.rank, std::move(child.control));
  const std::string label = plan_.options.label ? "[" + plan_.thread_range(job.rank) + "] " : "";
  output_.add(child.output.release(), false, label);
  if (child.error) output_.add(child.error.release(), true, label);
  if (plan_.options.verbose)
    report("rank " + std::to_string(job.rank) + ": pid " + std::to_string(child.pid) + ", " +
           plan_.threads_of(job.rank) + ", " + plan_.binding.describe(job.rank));
}

void Job::add_to_poll(int fd, short events, Source source, unsigned rank) {
  polled_.push_back({fd, events, 0});
  origins_.push_back({source, rank});
}

void Job::loop_once(int timeout) {
  polled_.clear();
  origins_.clear();
  add_to_poll(signals_.get(), POLLIN, Source::kSignal, 0);
  add_to_poll(spawner_.exec_failures(), POLLIN, Source::kExecFailure, 0);
  for (unsigned rank = 0; rank < size_; ++rank) {
    const short events = control_.has_output(rank) ? POLLIN | POLLOUT : POLLIN;
    if (control_.fd(rank) >= 0) add_to_poll(control_.fd(rank), events, Source::kControl, rank);
    if (processes_[rank].member_pidfd)
      add_to_poll(processes_[rank].member_pidfd.get(), POLLIN, Source::kMember, rank);
  }
  for (const LaunchCommand& start : launch_commands_.all())
    if (start.launcher_process.fd() >= 0)
      add_to_poll(start.launcher_process.fd(), POLLIN, Source::kLauncher, 0);
  if (agents_ && agents_->link(0) != nullptr && input_.wanted())
    add_to_poll(STDIN_FILENO, POLLIN, Source::kInput, 0);
  const std::size_t first_remote = polled_.size();
  if (agents_) agents_->collect(polled_);
  const std::size_t first_output = polled_.size();
  output_.collect(polled_);
  if (::poll(polled_.data(), polled_.size(), timeout) > 0) {
    output_.handle(polled_.data() + first_output, polled_.size() - first_output);
    if (agents_) agents_->handle(polled_.data() + first_remote, first_output - first_remote);
    for (std::size_t i = 0; i < first_remote; ++i) {
      if (polled_[i].revents == 0) continue;
      const unsigned rank = origins_[i].rank;
      switch (origins_[i].source) {
        case Source::kSignal:
          handle_signals();
          break;
        case Source::kExecFailure:
          handle_exec_failure();
          break;
        case Source::kControl:
          control_.flush(rank);
          control_.receive(rank);
          break;
        case Source::kMember:
          on_member_exit(rank);
          break;
        case Source::kLauncher:
          read_launcher_output();
          break;
        case Source::kInput:
          if (agents_->link(0) != nullptr) input_.forward(*agents_->link(0));
          break;
      }
    }
  }
  if (agents_) acknowledge_output();
  if (output_.stdout_error() != 0) {
    report_output_error();
    fail(kStatusOutputError, {});
  } else if (output_.stdout_broken()) {
    fail(128 + SIGPIPE, {});  // as of any program whose reader has closed the pipe
  }
  check_deadlines();
}

int Job::poll_timeout() const {
  Milliseconds next = -1;
  const auto consider = [&next](Milliseconds at) {
    if (at != 0) next = next < 0 ? at : std::min(next, at);
  };
  consider(kill_at_);
  consider(grace_over_at_);
  if (agents_) consider(agents_->next_deadline());
  if (!ending_) consider(launch_commands_.next_deadline());
  if (agents_ && input_.in_background()) consider(now_ms() + kTerminalCheckInterval);
  if (!ending_ || grace_over_at_ != 0) consider(timeout_at_);
  if (!ending_) {
    for (const Process& process : processes_) consider(process.fail_at);
  }
  return next < 0 ? -1 : static_cast<int>(std::clamp<Milliseconds>(next - now_ms(), 0, 60'000));
}

void Job::check_deadlines() {
  const Milliseconds now = now_ms();
  if (agents_) agents_->check_deadlines();
  if (released_ && !ending_ && kill_at_ != 0 && now >= kill_at_) return force_remote_end();
  if (ending_) {
    if (grace_over_at_ != 0 && timeout_at_ != 0 && now >= timeout_at_) report_timeout();
    if (grace_over_at_ != 0 && now >= grace_over_at_) end_all();
    if (kill_at_ == 0 || now < kill_at_) return;
    if (awaits_error_report(now)) {
      kill_at_ = now + kExitCheckInterval;
      return;
    }
    if (plan_.remote()) return force_remote_end();
    if (unkillable_.kill_descendants()) return abandon(unkillable_.describe());
    kill_at_ = now + 20;  // again, for processes that were being forked
    return;
  }
  for (unsigned rank = 0; rank < size_; ++rank) {
    Process& process = processes_[rank];
    if (process.fail_at == 0 || now < process.fail_at) continue;
    // The kernel closes descriptors before the exit status is there, which may take seconds with an RDMA
    // device.
    if (!plan_.remote() && is_exiting(process.pid)) {
      process.fail_at = now + kExitCheckInterval;
      if (!process.exit_watch.all_unkillable({{identify(process.pid), is_running(process.pid)}}, now))
        continue;
      process.fail_reason = "has not been ended by the kernel: " + describe_kernel_state(process.pid);
    }
    process.fail_at = 0;
    if (!control_.finalized(rank) || process.lost)
      fail(process.lost ? kStatusHostLost : 1,
           error_prefix() + describe_process(rank) + " " + process.fail_reason);
  }
  if (const LaunchCommand* const late = launch_commands_.timed_out(); late != nullptr && !ending_)
    on_launcher_timeout(*late);
  if (timeout_at_ != 0 && now >= timeout_at_ && !ending_) report_timeout();
}

void Job::report_timeout() {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", *plan_.options.timeout);
  report(std::string("--timeout: the job has not ended within ") + seconds + " s");
  for (unsigned rank = 0; rank < size_; ++rank)
    if (!over(processes_[rank])) report("  " + describe_process(rank) + " " + control_.state(rank));
  for (const LaunchCommand& start : launch_commands_.all())
    if (!start.launcher_process.output().empty() && !plan_.options.verbose)
      report(start.describe() + " has said:\n" + start.launcher_process.output());
  fail(kStatusTimeout, {});
}

void Job::fail(int status, const std::string& message) {
  if (ending_ && grace_over_at_ == 0) return;
  if (!ending_ || status_ == 0) status_ = status & 0xff;  // a failure overrides an orderly end
  ending_ = true;
  if (!message.empty()) output_.message(message);
  end_all();
}

void Job::end_all() {
  grace_over_at_ = 0;
  kill_at_ = now_ms() + kGrace;
  output_.start_draining();
  report_until_ = kill_at_ + upcr::wire::kReportGrace;
  control_.broadcast_exit(status_);
  if (plan_.remote()) return end_remote_processes();
  // Processes that have not joined receive no packets, nor do scripts that run processes that have.
  for (unsigned rank = 0; rank < size_; ++rank) {
    const Process& process = processes_[rank];
    if (process.pid <= 0 || process.exited || process.member == process.pid) continue;
    (void)::kill(process.pid, SIGTERM);
    (void)::kill(process.pid, SIGCONT);
  }
}

void Job::write_remaining_output() {
  const Milliseconds deadline = now_ms() + kDrainTime;
  while (!output_.drained()) {
    polled_.clear();
    polled_.push_back({signals_.get(), POLLIN, 0});
    output_.collect(polled_);
    if (::poll(polled_.data(), polled_.size(), interrupted_ ? 50 : -1) > 0) {
      output_.handle(polled_.data() + 1, polled_.size() - 1);
      if (polled_[0].revents != 0) handle_signals();
    }
    if (interrupted_ && now_ms() >= deadline) return;
  }
  if (!output_.stdout_broken()) output_.close();
  if (output_.stdout_error() != 0) report_output_error();
  if (status_ != 0) return;
  if (output_.stdout_error() != 0)
    status_ = kStatusOutputError;
  else if (output_.stdout_broken())
    status_ = 128 + SIGPIPE;
  else if (output_.stderr_error() != 0)
    status_ = kStatusOutputError;  // the program has succeeded, but its messages are lost
}

// Reports it once. An error of standard error cannot be reported: it shows in the status, and does not end
// the job.
void Job::report_output_error() {
  if (output_error_reported_) return;
  output_error_reported_ = true;
  report(std::string("cannot write standard output: ") + std::strerror(output_.stdout_error()));
}

}  // namespace upcrun

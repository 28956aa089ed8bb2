// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/agent/loop.hpp"

#include <signal.h>
#include <sys/signalfd.h>
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

constexpr Milliseconds kGrace =
    upcr::wire::kExitGrace;                        // between the request to end and SIGKILL, as in upcrun
constexpr Milliseconds kReportCheckInterval = 50;  // between checks whether a program still reports an error
constexpr Milliseconds kOrphanGrace = 250;         // for background processes, as in upcrun
constexpr Milliseconds kOthersGrace = 1500;        // for the programs of other agents, when the job ends
constexpr Milliseconds kDrainTime = 5000;          // to send the rest of the output to upcrun
// A program that SIGKILL does not end is reported after this time, before upcrun closes the link.
constexpr Milliseconds kReportAfter = 1000;

// Blocks the signals by which mpirun ends its processes, and SIGCHLD. Returns a descriptor to read them from.
UniqueFd open_signal_fd() {
  const sigset_t set = watched_signals();
  (void)::sigprocmask(SIG_BLOCK, &set, nullptr);
  return UniqueFd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

}  // namespace

AgentLoop::AgentLoop(Link& link, const Plan& plan, const LaunchSpec& launch_spec,
                     const InheritedState& inherited, unsigned first, unsigned count)
    : link_(link),
      first_(first),
      count_(count),
      spawner_(plan, inherited, launch_spec.merged_output),
      collection_(first, count, plan.processes),
      arrivals_(count),
      signals_(open_signal_fd()),
      slow_to_end_(kReportAfter) {
  start(plan, launch_spec);
}

void AgentLoop::start(const Plan& plan, const LaunchSpec& launch_spec) {
  upcr::wire::JobVariable job;
  job.size = plan.processes;
  job.threads = plan.options.threads;
  job.pthreads = plan.pthreads;
  job.id = launch_spec.job_id;
  for (unsigned number = 0; number < count_; ++number) {
    job.rank = first_ + number;
    try {
      processes_.push_back(std::make_unique<AgentProcess>(
          link_, spawner_, job, number,
          [this](unsigned from, const upcr::wire::Header& header, std::string_view chunk) {
            contribute(from, header, chunk);
          }));
    } catch (const Failure& failure) {
      processes_.push_back(nullptr);
      link_.send(MessageType::kStartFailed, failure.status, failure.message, {}, number);
      continue;
    }
    link_.send(MessageType::kStarted, processes_.back()->pid(),
               plan.binding.describe(plan.binding_slot(job.rank)), {}, number);
  }
}

void AgentLoop::run() {
  receive_messages();  // frames that arrived together with the launch specification
  while (!may_leave()) loop_once();
  finish();
}

bool AgentLoop::over() const {
  return unkillable_left_ || std::all_of(processes_.begin(), processes_.end(),
                                         [](const auto& process) { return !process || process->over(); });
}

// mpirun may take the end of one agent for a crash and kill the others, whose programs may still write files
// or run exit handlers. So an agent stays until upcrun releases all of them, or the link is lost.
bool AgentLoop::may_leave() const {
  return over() && (released_ || (ending_ && (link_.fd() < 0 || now_ms() >= leave_at_)));
}

int AgentLoop::timeout() const {
  if (kill_at_ == 0 && arrivals_.deadline() != 0)
    return static_cast<int>(
        std::clamp<Milliseconds>(arrivals_.deadline() - now_ms(), 0, Arrivals::kPatience));
  if (kill_at_ == 0) return -1;
  return static_cast<int>(std::clamp<Milliseconds>((over() ? leave_at_ : kill_at_) - now_ms(), 0, 60'000));
}

// Whether a program that reports an error is to be waited for: its status and message count.
bool AgentLoop::awaits_error_report(Milliseconds now) const {
  return now < report_until_ && std::any_of(processes_.begin(), processes_.end(), [](const auto& process) {
           return process && process->reporting();
         });
}

void AgentLoop::loop_once() {
  polled_.clear();
  polled_.push_back({link_.fd(), static_cast<short>(link_.unsent() != 0 ? POLLIN | POLLOUT : POLLIN), 0});
  polled_.push_back({signals_.get(), POLLIN, 0});
  polled_.push_back({spawner_.exec_failures(), POLLIN, 0});
  const std::size_t own = polled_.size();
  for (const auto& process : processes_)
    if (process) process->collect(polled_, ending_);
  if (::poll(polled_.data(), polled_.size(), timeout()) > 0) {
    // Signals first, so that a signal of mpirun's is reported before the deaths that follow from it.
    if (polled_[1].revents != 0) handle_signals();
    const pollfd* fds = polled_.data() + own;
    for (const auto& process : processes_) {
      if (!process) continue;
      process->handle(fds);
      fds += AgentProcess::kPolled;
    }
    if (polled_[2].revents != 0) handle_exec_failure();
    if (polled_[0].revents != 0) handle_link();
  }
  const Milliseconds now = now_ms();
  if (arrivals_.deadline() != 0 && now >= arrivals_.deadline()) report_arrived();
  if (kill_at_ == 0 || now < kill_at_ || over()) return;
  if (awaits_error_report(now)) {
    kill_at_ = now + kReportCheckInterval;
    return;
  }
  if (slow_to_end_.kill_descendants() && !slow_reported_) {
    slow_reported_ = true;
    report_unkillable(slow_to_end_.describe());
  }
  kill_at_ = now + 20;  // again, for processes that were being forked
  unkillable_left_ = unkillable_.kill_descendants();
}

// The lines appear on upcrun's standard error.
void AgentLoop::report_unkillable(const std::vector<std::string>& lines) {
  char host[256] = "";
  (void)::gethostname(host, sizeof host - 1);
  for (const std::string& line : lines)
    link_.send(MessageType::kOutput, 2, "upcrun: host " + std::string(host) + ": " + line + "\n");
}

void AgentLoop::handle_link() {
  link_.flush();
  const bool open = link_.fill();
  receive_messages();
  if (open && !link_.broken()) return;
  // upcrun, or its host, is gone. The programs see that their sockets are closed, flush their files and exit.
  link_.close();
  for (const auto& process : processes_)
    if (process) process->close_socket();
  end_programs();
}

void AgentLoop::receive_messages() {
  while (const auto message = link_.next()) handle_message(*message);
}

void AgentLoop::handle_message(const Message& message) {
  if (message.type == MessageType::kEndJob) return end_programs();
  if (message.type == MessageType::kReply) return hand_out(message.payload);
  if (message.type == MessageType::kReleaseAgent) released_ = true;
  if (message.type == MessageType::kAwaitReport) leave_at_ = report_until_ + kOthersGrace;
  AgentProcess* const process = processes_[message.process].get();
  if (process == nullptr) return;
  switch (message.type) {
    case MessageType::kPacket:
      return process->queue_packet(message.payload);
    case MessageType::kCredit:
      return process->add_credit(message.value);
    case MessageType::kPeerLost:
      if (process->is_alive()) link_.send(MessageType::kPeerLost, message.value, {}, {}, message.process);
      return;
    case MessageType::kForwardSignal:
      return process->forward_signal(message.value);
    case MessageType::kInput:
      return process->queue_input(message.payload);
    default:
      return;  // a type of a later version
  }
}

void AgentLoop::contribute(unsigned number, const upcr::wire::Header& header, std::string_view chunk) {
  if (const std::string wrong = collection_.add(number, header, chunk); !wrong.empty())
    return link_.send(MessageType::kMistake, 0, wrong, {}, number);
  if (!collection_.complete()) return arrivals_.on_arrival(now_ms());
  const Contribution all = collection_.take();
  arrivals_.on_complete();
  link_.send(MessageType::kContribution, static_cast<int>(count_),
             {reinterpret_cast<const char*>(&all.header), sizeof all.header}, all.bytes);
}

void AgentLoop::report_arrived() {
  if (const std::string arrived = arrivals_.report(collection_); !arrived.empty())
    link_.send(MessageType::kArrived, static_cast<int>(collection_.type()), arrived);
}

void AgentLoop::hand_out(std::string_view content) {
  upcr::wire::Header header{};
  if (content.size() < sizeof header) return;
  std::memcpy(&header, content.data(), sizeof header);
  const Reply reply = Reply::make(header.type, content.substr(sizeof header));
  for (const auto& process : processes_)
    if (process) process->queue_reply(reply);
}

void AgentLoop::handle_signals() {
  signalfd_siginfo info;
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGCHLD) continue;
    for (unsigned number = 0; number < count_; ++number)
      link_.send(MessageType::kSignalled, static_cast<int>(info.ssi_signo), {}, {}, number);
    end_programs();
  }
  reap();
}

void AgentLoop::reap() {
  int status = 0;
  for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    // Any other child is an orphan that this process has adopted.
    for (const auto& process : processes_)
      if (process && process->pid() == pid) process->on_exit(status);
  }
}

void AgentLoop::handle_exec_failure() {
  ExecFailure failure;
  if (::read(spawner_.exec_failures(), &failure, sizeof failure) != sizeof failure) return;
  link_.send(MessageType::kStartFailed, failure.error == ENOENT ? 127 : 126,
             std::string("cannot run the program: ") + std::strerror(failure.error) +
                 (failure.error == ENOENT ? " (the interpreter that it names is missing)" : ""),
             {}, failure.rank - first_);
}

void AgentLoop::end_programs() {
  if (ending_) return;
  ending_ = true;
  kill_at_ = now_ms() + kGrace;
  leave_at_ = now_ms() + kOthersGrace;
  report_until_ = kill_at_ + upcr::wire::kReportGrace;
  for (const auto& process : processes_)
    if (process) process->terminate_unjoined();
}

// When this returns, the programs' processes and temporary files are gone, except processes that the kernel
// does not end.
void AgentLoop::finish() {
  if (!unkillable_left_) report_unkillable(end_descendants(kOrphanGrace, SIGTERM));
  for (const auto& process : processes_)
    if (process) process->remove_temporary_files();
  for (const auto& process : processes_)
    if (process) process->read_remaining_output();
  const Milliseconds until = now_ms() + kDrainTime;
  while (link_.unsent() != 0 && now_ms() < until) {
    pollfd wait{link_.fd(), POLLOUT, 0};
    (void)::poll(&wait, 1, 100);
    link_.flush();
  }
}

}  // namespace upcrun

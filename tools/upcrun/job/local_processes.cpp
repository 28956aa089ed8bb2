// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/local_processes.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/text.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kGrace = upcr::wire::kExitGrace;  // between the packet about the job's end and SIGKILL
constexpr unsigned kStartsPerPoll = 32;  // so that the start of a large job can be interrupted

}  // namespace

LocalProcesses::LocalProcesses(const Plan& plan, const InheritedState& inherited, Output& output,
                               Control& control, Processes& processes, Supervisor& supervisor)
    : plan_(plan),
      output_(output),
      control_(control),
      processes_(processes),
      supervisor_(supervisor),
      spawner_(plan, inherited, output.merged()),
      job_(describe_job(plan)),
      member_pidfds_(plan.processes),
      exit_watches_(plan.processes, UnkillableDetector(kSlowExit)) {
  if (plan_.options.verbose)
    supervisor_.report(
        plan_.program + ": " + std::to_string(job_.threads) + " UPC threads in " + std::to_string(job_.size) +
        " processes, conduit " + (plan_.options.conduit.empty() ? "as configured" : plan_.options.conduit) +
        ", shared heap " + (plan_.options.shared_heap.empty() ? "as configured" : plan_.options.shared_heap));
}

bool LocalProcesses::start_some() {
  for (unsigned n = 0; n < kStartsPerPoll && job_.rank < job_.size && !supervisor_.ending(); ++n, ++job_.rank)
    start();
  if (job_.rank < job_.size && !supervisor_.ending()) return true;
  for (Process& process : processes_)
    process.exited |= process.pid < 0;  // the job ended before they were started
  return false;
}

void LocalProcesses::start() {
  const unsigned rank = job_.rank;
  Spawned child;
  try {
    child = spawner_.spawn(job_);
  } catch (const Failure& failure) {
    return supervisor_.fail(failure.status,
                            plan_.prefix() + "process " + std::to_string(rank) + ": " + failure.message);
  }
  processes_[rank].pid = child.pid;
  control_.add(rank, std::move(child.control));
  const std::string label = processes_.label(rank);
  output_.add(rank, child.output.release(), false, label);
  if (child.error) output_.add(rank, child.error.release(), true, label);
  if (plan_.options.verbose)
    supervisor_.report("rank " + std::to_string(rank) + ": pid " + std::to_string(child.pid) + ", " +
                       plan_.threads_of(rank) + ", " + plan_.binding.describe(rank));
}

void LocalProcesses::add_to_poll(std::vector<pollfd>& fds, int fd, short events, Source source,
                                 unsigned rank) {
  fds.push_back({fd, events, 0});
  origins_.push_back({source, rank});
}

void LocalProcesses::collect(std::vector<pollfd>& fds) {
  origins_.clear();
  add_to_poll(fds, spawner_.exec_failures(), POLLIN, Source::kExecFailure, 0);
  for (unsigned rank = 0; rank < processes_.size(); ++rank) {
    const short events = control_.has_output(rank) ? POLLIN | POLLOUT : POLLIN;
    if (control_.fd(rank) >= 0) add_to_poll(fds, control_.fd(rank), events, Source::kControl, rank);
    if (member_pidfds_[rank]) add_to_poll(fds, member_pidfds_[rank].get(), POLLIN, Source::kMember, rank);
  }
}

void LocalProcesses::handle(const pollfd* fds, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (fds[i].revents == 0) continue;
    const unsigned rank = origins_[i].rank;
    switch (origins_[i].source) {
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
    }
  }
}

void LocalProcesses::handle_exec_failure() {
  ExecFailure failure;
  if (::read(spawner_.exec_failures(), &failure, sizeof failure) != sizeof failure) return;
  std::string message = plan_.prefix() + "cannot run '" + escape_control_characters(plan_.program) +
                        "': " + std::strerror(failure.error);
  if (failure.error == ENOENT) message += " (the interpreter that it names is missing)";
  supervisor_.fail(failure.error == ENOENT ? 127 : 126, message);
}

void LocalProcesses::on_child_exit(pid_t pid, int wait_status) {
  const auto found = std::find_if(processes_.begin(), processes_.end(),
                                  [pid](const Process& p) { return p.pid == pid && !p.exited; });
  if (found == processes_.end()) return;  // an orphan that upcrun has adopted
  found->exited = true;
  found->wait_status = wait_status;
  const unsigned rank = static_cast<unsigned>(found - processes_.begin());
  control_.receive(rank);  // packets that it sent before its end
  supervisor_.check_exit(rank);
}

void LocalProcesses::on_descendant_joined(unsigned rank) {
  Process& process = processes_[rank];
  member_pidfds_[rank].reset(static_cast<int>(::syscall(SYS_pidfd_open, process.member, 0)));
  process.member_exited = !member_pidfds_[rank];
  if (process.member_exited && errno == ESRCH)
    supervisor_.await_reason_of_script(rank);  // it has already ended
}

void LocalProcesses::on_member_exit(unsigned rank) {
  pollfd now{member_pidfds_[rank].get(), POLLIN, 0};
  if (::poll(&now, 1, 0) <= 0) return;  // another program has joined since, and this pidfd is its own
  member_pidfds_[rank].reset();
  processes_[rank].member_exited = true;
  control_.receive(rank);
  supervisor_.check_exit(rank);
}

// A script that runs the program in its turn gets it, too, as from a terminal.
void LocalProcesses::forward_signal(int number) {
  for (const Process& process : processes_) {
    if (process.pid > 0 && !process.exited) (void)::kill(process.pid, number);
    if (process.member > 0 && process.member != process.pid && !process.member_exited)
      (void)::kill(process.member, number);
  }
}

// A process that exits closes its connections first, and its exit may take seconds: no answer until then.
void LocalProcesses::on_peer_lost(unsigned rank, unsigned peer) {
  const Process& process = processes_[peer];
  if (!is_exiting(process.member != 0 ? process.member : process.pid)) control_.send_alive(rank, peer);
}

// The kernel closes descriptors before the exit status is there, which may take seconds with an RDMA device.
bool LocalProcesses::awaits_exit(unsigned rank, Milliseconds now) {
  Process& process = processes_[rank];
  if (!is_exiting(process.pid)) return false;
  if (!exit_watches_[rank].all_unkillable({{identify(process.pid), is_running(process.pid)}}, now))
    return true;
  process.fail_reason = "has not been ended by the kernel: " + describe_kernel_state(process.pid);
  return false;
}

// Processes that have not joined receive no packets, nor do scripts that run processes that have.
Milliseconds LocalProcesses::end_programs() {
  for (const Process& process : processes_) {
    if (process.pid <= 0 || process.exited || process.member == process.pid) continue;
    (void)::kill(process.pid, SIGTERM);
    (void)::kill(process.pid, SIGCONT);
  }
  return kGrace;
}

}  // namespace upcrun

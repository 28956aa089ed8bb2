// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/agent_launchers.hpp"

#include <signal.h>

#include <algorithm>

#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/remote/missing_hosts.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kTermGrace = kMpirunTermGrace + 500;  // between SIGTERM and SIGKILL
constexpr int kSshFailed = 255;

std::string join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

// What a launcher has said, for the end of a message.
std::string ending_of(const std::string& said) {
  return said.empty() ? "" : "; it said:\n" + said.substr(0, said.find_last_not_of('\n') + 1);
}

// Where a relay has run it, and how to do without relays.
std::string via(const LauncherReport& report) {
  if (report.relay.empty()) return {};
  return " on host " + report.relay +
         ", which starts the agents of this and other hosts; UPCRUN_FANOUT is the number of hosts up to which "
         "upcrun starts all itself";
}

}  // namespace

AgentLaunchers::AgentLaunchers(const Plan& plan, const InheritedState& inherited, GuardState& guard_state,
                               const Processes& processes, Supervisor& supervisor)
    : plan_(plan),
      inherited_(inherited),
      guard_state_(guard_state),
      processes_(processes),
      supervisor_(supervisor),
      commands_(Milliseconds{plan.options.start_timeout} * 1000) {}

void AgentLaunchers::start(std::vector<LaunchCommand> commands, unsigned port) {
  port_ = port;
  for (LaunchCommand& command : commands) {
    if (plan_.options.verbose) supervisor_.report("runs " + join(command.arguments));
    commands_.add(std::move(command));
  }
  commands_.start_some(inherited_);
  guard_state_.monitor = commands_.all().front().launcher_process.monitor();
  guard_state_.mpirun = commands_.all().front().launcher_process.mpirun();
}

void AgentLaunchers::on_agent(unsigned rank) {
  commands_.on_agent_connected(rank);
  if (supervisor_.ending()) return;
  try {
    commands_.start_some(inherited_);
  } catch (const Failure& failure) {
    supervisor_.fail(failure.status, plan_.prefix() + escape_control_characters(failure.message));
  }
}

void AgentLaunchers::terminate_unconnected() const {
  if (plan_.launch_method == LaunchMethod::kRemoteShell) commands_.terminate_unconnected();
}

void AgentLaunchers::collect(std::vector<pollfd>& fds) {
  for (const LaunchCommand& command : commands_.all())
    if (command.launcher_process.fd() >= 0) fds.push_back({command.launcher_process.fd(), POLLIN, 0});
}

void AgentLaunchers::handle(const pollfd* fds, std::size_t count) {
  if (std::any_of(fds, fds + count, [](const pollfd& fd) { return fd.revents != 0; })) read_output();
}

void AgentLaunchers::on_child_exit(pid_t pid, int wait_status) {
  if (const LaunchCommand* const command = commands_.on_exit(pid, wait_status)) on_exit(*command);
}

bool AgentLaunchers::has_ended(unsigned rank) {
  const LaunchCommand& command = commands_.of(rank);
  if (!command.launcher_process.ended()) return false;
  on_exit(command);
  return true;
}

Milliseconds AgentLaunchers::next_deadline() const {
  return supervisor_.ending() ? 0 : commands_.next_deadline();
}

void AgentLaunchers::check_deadlines() {
  if (supervisor_.ending()) return;
  if (const LaunchCommand* const late = commands_.timed_out()) on_timeout(*late);
}

std::string AgentLaunchers::first_output() {
  read_output();
  return output_of(commands_.all().front());
}

void AgentLaunchers::read_output() {
  for (LaunchCommand& command : commands_.all())
    for (const std::string& line : command.launcher_process.read())
      if (plan_.options.verbose && !line.empty()) supervisor_.report(command.label() + ": " + line);
}

// The launcher's output, for the end of a message; empty with -v, which has shown it already.
std::string AgentLaunchers::output_of(const LaunchCommand& command) const {
  return plan_.options.verbose ? std::string() : ending_of(command.launcher_process.output());
}

// A launcher has ended, which is in order if all of its processes have ended or have agents.
void AgentLaunchers::on_exit(const LaunchCommand& command) {
  read_output();
  LauncherReport report;
  report.name = command.name;
  report.host = command.host;
  report.processes = command.count;
  report.exit = command.launcher_process.describe_exit();
  const int status = command.launcher_process.status();
  if (!command.host.empty()) report.explanation = command.explain_exit(status);
  if (!plan_.options.verbose) report.output = command.launcher_process.output();
  on_exit(command.first, status, report);
}

void AgentLaunchers::on_exit(unsigned first, int status, const LauncherReport& report) {
  const std::string where = report.host.empty() ? "" : "host " + report.host + ": ";
  if (plan_.options.verbose) supervisor_.report(where + report.exit);
  if (supervisor_.ending() || exit_expected_) return;
  unsigned missing = 0, unconnected = 0;
  std::string lost_processes, signal_reason;
  const unsigned end = std::min(first + report.processes, processes_.size());
  for (unsigned rank = first; rank < end; ++rank) {
    missing += !processes_[rank].ended() || processes_[rank].awaits_reason() ? 1 : 0;
    unconnected += processes_[rank].connected() ? 0 : 1;
    if (processes_[rank].lost) lost_processes += "; " + processes_.describe(rank) + " is gone";
    // SIGTERM, by which mpirun itself ends its processes, explains nothing.
    if (processes_[rank].signalled_by != SIGTERM && processes_[rank].signalled() && signal_reason.empty())
      signal_reason = "; " + processes_.describe(rank) + " " + processes_[rank].fail_reason;
  }
  if (missing == 0) return;
  const std::string of = " of " + std::to_string(report.processes) + " processes ";
  std::string message = plan_.prefix() + where;
  if (!report.host.empty() && unconnected != 0)
    message += report.explanation + " (" + report.exit + via(report) + ")";
  else
    message += report.exit + " while " + std::to_string(unconnected != 0 ? unconnected : missing) + of +
               (unconnected != 0 ? "were not started" : "had not ended");
  // Status 255 of ssh: its connection broke. Status 0 of mpirun: it has not noticed the loss.
  const bool lost = unconnected == 0 && ((report.name == "ssh" && status == kSshFailed) ||
                                         (!lost_processes.empty() && status == 0));
  supervisor_.fail(lost          ? Supervisor::kStatusHostLost
                   : status != 0 ? status
                                 : 1,
                   message + lost_processes + signal_reason + ending_of(report.output));
}

void AgentLaunchers::on_timeout(const LauncherReport& report) {
  if (supervisor_.ending()) return;
  supervisor_.fail(1, plan_.prefix() + "host " + report.host + " has not answered within " +
                          std::to_string(plan_.options.start_timeout) + " s of " + report.name + "'s start" +
                          via(report) +
                          "; it is down or slow (UPCRUN_START_TIMEOUT gives more seconds), the command that "
                          "reaches it has started nothing, or its agent cannot reach port " +
                          std::to_string(report.port) + " of host " + report.relay + " (a firewall)" +
                          ending_of(report.output));
}

// The command's agents have not connected in time.
void AgentLaunchers::on_timeout(const LaunchCommand& command) {
  read_output();
  const bool some = command.connected != 0;
  const auto has_connected = [this](unsigned rank) { return processes_[rank].connected(); };
  supervisor_.fail(
      1,
      plan_.prefix() + describe_missing_hosts(command, has_connected) + " not answered within " +
          std::to_string(plan_.options.start_timeout) + " s of " +
          (some ? "the last answer of another process" : command.name + "'s start") +
          "; a host is down or slow (UPCRUN_START_TIMEOUT gives more seconds), the command that reaches it "
          "has started nothing, or its agent cannot reach this host's port " +
          std::to_string(port_) + " (UPCR_LAUNCH_IFACE, a firewall)" + output_of(command));
}

void AgentLaunchers::report() {
  for (const LaunchCommand& command : commands_.all())
    if (!command.launcher_process.output().empty() && !plan_.options.verbose)
      supervisor_.report(command.describe() + " has said:\n" + command.launcher_process.output());
}

Milliseconds AgentLaunchers::terminate() {
  if (terminated_ || !commands_.running()) return 0;
  if (!supervisor_.ending())
    supervisor_.report("all processes have ended, but " + commands_.describe_running() + " has not within " +
                       std::to_string(Supervisor::kLauncherTimeout / 1000) +
                       " s after them; it gets SIGTERM");
  terminated_ = true;
  commands_.terminate();
  return kTermGrace;
}

}  // namespace upcrun

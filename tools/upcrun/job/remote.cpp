// SPDX-License-Identifier: BSD-3-Clause
// Job, for processes with agents: the start, events of agents and of the processes that start them, the end.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "tools/upcrun/base/addresses.hpp"
#include "tools/upcrun/base/descendants.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/job/job.hpp"
#include "tools/upcrun/launch/mpirun.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/remote/agent_launch.hpp"
#include "tools/upcrun/remote/missing_hosts.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kAgentLostGrace = 3000;  // for mpirun or ssh to report why an agent is gone
constexpr Milliseconds kSignalledGrace = 3000;  // likewise, why mpirun ends the agents
constexpr Milliseconds kAgentsGrace =
    2500;  // for the agents to end their programs, which takes up to 1000 of it
constexpr Milliseconds kLauncherTimeout = 10'000;  // for mpirun or ssh to exit after all agents
constexpr Milliseconds kLauncherTermGrace = kMpirunTermGrace + 500;  // between SIGTERM to it and SIGKILL
constexpr int kSshFailed = 255;

std::string join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

void Job::start_remote_processes() {
  clear_outer_job();
  const upcr::wire::JobVariable job = describe_job();
  LaunchSpec launch_spec = make_launch_spec(plan_, job.id, output_.merged());
  const AgentLaunch launch(plan_);
  launch_spec.options.conduit = launch.conduit();
  launch_spec_ = launch_spec.format();
  for (LaunchCommand& command : launch.commands(open_listener(launch.loopback_only(), launch.shares())))
    launch_commands_.add(std::move(command));
  if (plan_.options.verbose) {
    report(plan_.program + ": " + std::to_string(job.threads) + " UPC threads in " + std::to_string(size_) +
           " processes, conduit " + (launch.conduit().empty() ? "as configured" : launch.conduit()) + ", " +
           launch.describe());
    report("listening on port " + std::to_string(agents_->port()));
    for (const LaunchCommand& command : launch_commands_.all()) report("runs " + join(command.arguments));
  }
  launch_commands_.start_some(inherited_);
  guard_state_.monitor = launch_commands_.all().front().launcher_process.monitor();
  guard_state_.mpirun = launch_commands_.all().front().launcher_process.mpirun();
}

// Opens the port for agents of `shares` processes each.
Rendezvous Job::open_listener(bool loopback_only, const std::vector<unsigned>& shares) {
  Rendezvous rendezvous = make_rendezvous(loopback_only);
  agents_ = std::make_unique<Agents>(rendezvous.credentials, loopback_only, shares,
                                     static_cast<AgentListener&>(*this));
  rendezvous.port = agents_->port();
  for (unsigned rank = 0; rank < size_; ++rank) {
    const std::string label = plan_.options.label ? "[" + plan_.thread_range(rank) + "] " : "";
    processes_[rank].streams[0] = output_.add_remote(false, label);
    processes_[rank].streams[1] = output_.add_remote(true, label);
  }
  return rendezvous;
}

void Job::on_agent(unsigned first, unsigned count) {
  launch_commands_.on_agent_connected(first);
  if (ending_) return agents_->send(first, MessageType::kReleaseAgent);
  agents_->send(first, MessageType::kLaunchSpec, 0, launch_spec_);
  for (unsigned rank = first; rank < first + count; ++rank)
    control_.add(rank, agents_->link(rank), agents_->number(rank));
  check_duplicate_host(first);
  start_launchers();
}

// Reports a host that was named by two names: it has two agents, and both bind their processes to the first
// CPUs.
void Job::check_duplicate_host(unsigned first) {
  const std::string& name = launch_commands_.of(first).host;
  if (name.empty()) return;  // mpirun, which binds nothing, and starts an agent for each process
  const auto [known, is_new] = host_names_.try_emplace(agents_->host(first), name);
  if (!is_new)
    report(known->second + " and " + name + " are the same host (" + known->first +
           "): its processes share CPUs; name it once, or use --bind none");
}

// Starts further remote shells, as another agent has connected.
void Job::start_launchers() {
  try {
    launch_commands_.start_some(inherited_);
  } catch (const Failure& failure) {
    fail(failure.status, "upcrun: " + escape_control_characters(failure.message));
  }
}

void Job::on_rejected_agent(const Hello& hello, const std::string& why) {
  if (ending_ || released_) return;
  if (hello.rank != Hello::kHostUnreachable)
    return fail(1, "upcrun: a process (pid " + std::to_string(hello.pid) + ", host " + hello.host +
                       ") has connected that cannot be part of the job: " + why);
  // When all agents have connected, their links show what becomes of them.
  if (agents_->all_have_connected()) return;
  read_launcher_output();
  fail(1, "upcrun: host " + hello.host + ": " + why + output_of(launch_commands_.all().front()));
}

void Job::on_rejected_connection(const std::string& what) {
  if (plan_.options.verbose) report(what);
}

void Job::on_message(unsigned rank, const Message& message) {
  Process& process = processes_[rank];
  switch (message.type) {
    case MessageType::kStarted:
      return note_started(rank, message);
    case MessageType::kStartFailed:
      process.exited = true;
      return fail(message.value, "upcrun: rank " + std::to_string(rank) + " on host " + agents_->host(rank) +
                                     ": " + escape_control_characters(message.payload));
    case MessageType::kPacket:
      control_.deliver(rank, message.payload, message.value);
      return control_.flush(rank);
    case MessageType::kPeerLost:
      if (static_cast<std::size_t>(message.value) < processes_.size())
        control_.send_alive(static_cast<unsigned>(message.value), rank);
      return;
    case MessageType::kSocketClosed:
      return on_closed(rank);
    case MessageType::kMemberExited:
      process.member_exited = true;
      return check_exit(rank);
    case MessageType::kExited:
      process.exited = true;
      process.wait_status = message.value;
      return check_exit(rank);
    case MessageType::kSignalled:
      process.signalled_by = message.value;
      process.fail_at = 0;
      return fail_later(rank,
                        "was told to end by " + describe_signal(message.value) + ", from " +
                            launch_commands_.of(rank).name + " or from outside",
                        kSignalledGrace);
    case MessageType::kOutput:
      return note_output(rank, message.value, message.payload);
    case MessageType::kCredit:
      return input_.on_credit(static_cast<std::size_t>(message.value));
    default:
      return on_protocol_error(
          rank,
          "has an agent that has sent an unknown message; install the same version of upcr on every host");
  }
}

void Job::note_started(unsigned rank, const Message& message) {
  processes_[rank].pid = message.value;
  if (!plan_.options.verbose) return;
  report("rank " + std::to_string(rank) + ": pid " + std::to_string(message.value) + ", host " +
         agents_->host(rank) + ", " + plan_.threads_of(rank) + ", " + std::string(message.payload));
}

void Job::note_output(unsigned rank, int stream, std::string_view bytes) {
  processes_[rank].uncredited += static_cast<int>(bytes.size());
  output_.append_remote(processes_[rank].streams[stream == 2 ? 1 : 0], bytes.data(), bytes.size());
}

// Returns credit to agents whose output has been accepted.
void Job::acknowledge_output() {
  for (unsigned rank = 0; rank < size_; ++rank) {
    Process& process = processes_[rank];
    control_.flush(rank);
    if (process.uncredited == 0 || !output_.remote_has_room(process.streams[0]) ||
        !output_.remote_has_room(process.streams[1]))
      continue;
    agents_->send(rank, MessageType::kCredit, process.uncredited);
    process.uncredited = 0;
  }
}

void Job::on_agent_lost(unsigned rank) {
  control_.add(rank, nullptr);
  Process& process = processes_[rank];
  if (rank == 0) input_.stop();
  if (over(process) || ending_) return;
  process.exited = true;
  process.lost = true;
  process.wait_status = 1 << 8;
  if (launch_commands_.of(rank).launcher_process.ended()) return on_launcher_exit(launch_commands_.of(rank));
  fail_later(rank, "cannot be reached any more: its host is gone, or the agent that started it was killed",
             kAgentLostGrace);
}

void Job::read_launcher_output() {
  for (LaunchCommand& start : launch_commands_.all())
    for (const std::string& line : start.launcher_process.read())
      if (plan_.options.verbose && !line.empty()) report(start.label() + ": " + line);
}

// The launcher's output, for the end of a message; empty with -v, which has shown it already.
std::string Job::output_of(const LaunchCommand& start) const {
  const std::string& said = start.launcher_process.output();
  if (said.empty() || plan_.options.verbose) return {};
  return "; it said:\n" + said.substr(0, said.find_last_not_of('\n') + 1);
}

// A launcher has ended, which is in order if all of its processes have ended or have agents.
void Job::on_launcher_exit(const LaunchCommand& start) {
  read_launcher_output();
  const LauncherProcess& launcher_process = start.launcher_process;
  const std::string where = start.host.empty() ? "" : "host " + start.host + ": ";
  if (plan_.options.verbose) report(where + launcher_process.describe_exit());
  if (ending_ || released_) return;
  unsigned missing = 0, unconnected = 0;
  std::string lost_processes, signal_reason;
  for (unsigned rank = start.first; rank < start.first + start.count; ++rank) {
    missing += !over(processes_[rank]) || awaits_reason(processes_[rank]) ? 1 : 0;
    unconnected += agents_->has_connected(rank) ? 0 : 1;
    if (processes_[rank].lost) lost_processes += "; " + describe_process(rank) + " is gone";
    // SIGTERM, by which mpirun itself ends its processes, explains nothing.
    if (processes_[rank].signalled_by != SIGTERM && processes_[rank].signalled() && signal_reason.empty())
      signal_reason = "; " + describe_process(rank) + " " + processes_[rank].fail_reason;
  }
  if (missing == 0) return;
  const std::string of = " of " + std::to_string(start.count) + " processes ";
  std::string message = "upcrun: " + where;
  if (!start.host.empty() && unconnected != 0)
    message += start.explain_exit(launcher_process.status()) + " (" + launcher_process.describe_exit() + ")";
  else
    message += launcher_process.describe_exit() + " while " +
               std::to_string(unconnected != 0 ? unconnected : missing) + of +
               (unconnected != 0 ? "were not started" : "had not ended");
  // Status 255 of ssh: its connection broke. Status 0 of mpirun: it has not noticed the loss.
  const bool lost = unconnected == 0 && ((start.name == "ssh" && launcher_process.status() == kSshFailed) ||
                                         (!lost_processes.empty() && launcher_process.status() == 0));
  fail(lost                             ? kStatusHostLost
       : launcher_process.status() != 0 ? launcher_process.status()
                                        : 1,
       message + lost_processes + signal_reason + output_of(start));
}

// The command's agents have not connected in time.
void Job::on_launcher_timeout(const LaunchCommand& start) {
  read_launcher_output();
  const bool some = start.connected != 0;
  const auto has_connected = [this](unsigned rank) { return agents_->has_connected(rank); };
  fail(1,
       "upcrun: " + describe_missing_hosts(start, has_connected) + " not answered within " +
           std::to_string(plan_.options.start_timeout) + " s of " +
           (some ? "the last answer of another process" : start.name + "'s start") +
           "; a host is down or slow (UPCRUN_START_TIMEOUT gives more seconds), the command that reaches it "
           "has started nothing, or its agent cannot reach this host's port " +
           std::to_string(agents_->port()) + " (UPCR_LAUNCH_IFACE, a firewall)" + output_of(start));
}

// Tells the agents to end their programs.
void Job::end_remote_processes() {
  input_.stop();
  launch_commands_.start_no_more();
  if (!agents_) return;
  agents_->send_to_all(MessageType::kEndJob);
  kill_at_ = now_ms() + kAgentsGrace;
  report_until_ = kill_at_ + upcr::wire::kReportGrace;
  if (agents_->connected() == 0) return force_remote_end();  // mpirun still starts processes, or hangs
  if (plan_.launch_method == LaunchMethod::kRemoteShell) launch_commands_.ask_to_end(true);
}

// Ends what has not ended in time: first by SIGTERM to the launcher, then by SIGKILL to all descendants.
void Job::force_remote_end() {
  if (!ending_ && !launcher_asked_)
    report("all processes have ended, but " + launch_commands_.describe_running() + " has not within " +
           std::to_string(kLauncherTimeout / 1000) + " s after them; it gets SIGTERM");
  kill_at_ = now_ms() + kLauncherTermGrace;
  if (launch_commands_.running() && !launcher_asked_) {
    launcher_asked_ = true;
    return launch_commands_.ask_to_end(false);
  }
  const bool all_unkillable = unkillable_.kill_descendants();
  agents_->close_all();
  for (unsigned rank = 0; rank < size_; ++rank) control_.add(rank, nullptr);
  kill_at_ = now_ms() + 20;
  if (all_unkillable) abandon(unkillable_.describe());
}

// All processes have ended: releases the agents, after which their launchers end.
void Job::release_agents() {
  if (released_) return;
  released_ = true;
  agents_->send_to_all(MessageType::kReleaseAgent);
}

bool Job::remote_over() {
  if (!agents_) return true;  // nothing was started
  const bool trouble = std::any_of(processes_.begin(), processes_.end(), awaits_reason);
  if (all_over() && (ending_ || !trouble)) release_agents();
  if (released_ && !ending_ && kill_at_ == 0 && agents_->connected() == 0 && launch_commands_.running())
    kill_at_ = now_ms() + kLauncherTimeout;
  return (ending_ || released_) && agents_->connected() == 0 && !launch_commands_.running();
}

}  // namespace upcrun

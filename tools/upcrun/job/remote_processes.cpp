// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/remote_processes.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/remote/missing_hosts.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kAgentLostGrace = 3000;  // for mpirun or ssh to report why an agent is gone
constexpr Milliseconds kSignalledGrace = 3000;  // likewise, why mpirun ends the agents
// For the agents to end their programs, which takes up to 1000 of it.
constexpr Milliseconds kAgentsGrace = 2500;
constexpr Milliseconds kLauncherTimeout = 10'000;  // for mpirun or ssh to exit after all agents
constexpr Milliseconds kLauncherTermGrace = kMpirunTermGrace + 500;  // between SIGTERM to it and SIGKILL
constexpr Milliseconds kTerminalCheckInterval = 500;  // between checks whether upcrun is in the foreground
constexpr int kSshFailed = 255;

std::string join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

RemoteProcesses::RemoteProcesses(const Plan& plan, const InheritedState& inherited, GuardState& guard_state,
                                 Output& output, Control& control, Processes& processes,
                                 Supervisor& supervisor)
    : plan_(plan),
      inherited_(inherited),
      guard_state_(guard_state),
      output_(output),
      control_(control),
      processes_(processes),
      supervisor_(supervisor),
      launch_((clear_outer_job(), plan)),
      rendezvous_(make_rendezvous(launch_.loopback_only())),
      agents_(rendezvous_.credentials, launch_.loopback_only(), launch_.shares(),
              static_cast<AgentListener&>(*this)),
      launch_commands_(Milliseconds{plan.options.start_timeout} * 1000),
      streams_(plan.processes) {
  rendezvous_.port = agents_.port();
  for (unsigned rank = 0; rank < processes_.size(); ++rank) {
    const std::string label = processes_.label(rank);
    streams_[rank].number[0] = output_.add_remote(false, label);
    streams_[rank].number[1] = output_.add_remote(true, label);
  }
}

bool RemoteProcesses::start_some() {
  const upcr::wire::JobVariable job = describe_job(plan_);
  LaunchSpec launch_spec = make_launch_spec(plan_, job.id, output_.merged());
  launch_spec.options.conduit = launch_.conduit();
  launch_spec_ = launch_spec.format();
  for (LaunchCommand& command : launch_.commands(rendezvous_)) launch_commands_.add(std::move(command));
  if (plan_.options.verbose) {
    supervisor_.report(plan_.program + ": " + std::to_string(job.threads) + " UPC threads in " +
                       std::to_string(job.size) + " processes, conduit " +
                       (launch_.conduit().empty() ? "as configured" : launch_.conduit()) + ", " +
                       launch_.describe());
    supervisor_.report("listening on port " + std::to_string(agents_.port()));
    for (const LaunchCommand& command : launch_commands_.all())
      supervisor_.report("runs " + join(command.arguments));
  }
  launch_commands_.start_some(inherited_);
  guard_state_.monitor = launch_commands_.all().front().launcher_process.monitor();
  guard_state_.mpirun = launch_commands_.all().front().launcher_process.mpirun();
  return false;
}

void RemoteProcesses::collect(std::vector<pollfd>& fds) {
  const std::size_t first = fds.size();
  for (const LaunchCommand& command : launch_commands_.all())
    if (command.launcher_process.fd() >= 0) fds.push_back({command.launcher_process.fd(), POLLIN, 0});
  polled_launchers_ = fds.size() - first;
  polled_input_ = agents_.link(0) != nullptr && input_.wanted();
  if (polled_input_) fds.push_back({STDIN_FILENO, POLLIN, 0});
  agents_.collect(fds);
}

void RemoteProcesses::handle(const pollfd* fds, std::size_t count) {
  const std::size_t first_agent = polled_launchers_ + (polled_input_ ? 1 : 0);
  agents_.handle(fds + first_agent, count - first_agent);
  if (std::any_of(fds, fds + polled_launchers_, [](const pollfd& fd) { return fd.revents != 0; }))
    read_launcher_output();
  if (polled_input_ && fds[polled_launchers_].revents != 0 && agents_.link(0) != nullptr)
    input_.forward(*agents_.link(0));
}

void RemoteProcesses::on_child_exit(pid_t pid, int wait_status) {
  if (const LaunchCommand* const command = launch_commands_.on_exit(pid, wait_status))
    on_launcher_exit(*command);
}

Milliseconds RemoteProcesses::next_deadline() const {
  Milliseconds next = 0;
  const auto consider = [&next](Milliseconds at) {
    if (at != 0) next = next == 0 ? at : std::min(next, at);
  };
  consider(agents_.next_deadline());
  if (!supervisor_.ending()) consider(launch_commands_.next_deadline());
  if (input_.in_background()) consider(now_ms() + kTerminalCheckInterval);
  return next;
}

void RemoteProcesses::check_deadlines() {
  agents_.check_deadlines();
  if (supervisor_.ending()) return;
  if (const LaunchCommand* const late = launch_commands_.timed_out()) on_launcher_timeout(*late);
}

void RemoteProcesses::on_peer_lost(unsigned rank, unsigned peer) {
  agents_.send(peer, MessageType::kPeerLost, static_cast<int>(rank));
}

void RemoteProcesses::on_agent(unsigned first, unsigned count) {
  launch_commands_.on_agent_connected(first);
  for (unsigned rank = first; rank < first + count; ++rank) processes_[rank].host = agents_.host(rank);
  if (supervisor_.ending()) return agents_.send(first, MessageType::kReleaseAgent);
  agents_.send(first, MessageType::kLaunchSpec, 0, launch_spec_);
  for (unsigned rank = first; rank < first + count; ++rank)
    control_.add(rank, agents_.link(rank), agents_.number(rank));
  check_duplicate_host(first);
  start_launchers();
}

// Reports a host that was named by two names: it has two agents, and both bind their processes to the first
// CPUs.
void RemoteProcesses::check_duplicate_host(unsigned first) {
  const std::string& name = launch_commands_.of(first).host;
  if (name.empty()) return;  // mpirun, which binds nothing, and starts an agent for each process
  const auto [known, is_new] = host_names_.try_emplace(agents_.host(first), name);
  if (!is_new)
    supervisor_.report(known->second + " and " + name + " are the same host (" + known->first +
                       "): its processes share CPUs; name it once, or use --bind none");
}

// Starts further remote shells, as another agent has connected.
void RemoteProcesses::start_launchers() {
  try {
    launch_commands_.start_some(inherited_);
  } catch (const Failure& failure) {
    supervisor_.fail(failure.status, "upcrun: " + escape_control_characters(failure.message));
  }
}

void RemoteProcesses::on_rejected_agent(const Hello& hello, const std::string& why) {
  if (supervisor_.ending() || released_) return;
  if (hello.rank != Hello::kHostUnreachable)
    return supervisor_.fail(1, "upcrun: a process (pid " + std::to_string(hello.pid) + ", host " +
                                   hello.host + ") has connected that cannot be part of the job: " + why);
  // When all agents have connected, their links show what becomes of them.
  if (agents_.all_have_connected()) return;
  read_launcher_output();
  supervisor_.fail(1, "upcrun: host " + hello.host + ": " + why + output_of(launch_commands_.all().front()));
}

void RemoteProcesses::on_rejected_connection(const std::string& what) {
  if (plan_.options.verbose) supervisor_.report(what);
}

void RemoteProcesses::on_message(unsigned rank, const Message& message) {
  Process& process = processes_[rank];
  switch (message.type) {
    case MessageType::kStarted:
      return on_started(rank, message);
    case MessageType::kStartFailed:
      process.exited = true;
      return supervisor_.fail(message.value, "upcrun: rank " + std::to_string(rank) + " on host " +
                                                 agents_.host(rank) + ": " +
                                                 escape_control_characters(message.payload));
    case MessageType::kPacket:
      control_.deliver(rank, message.payload, message.value);
      return control_.flush(rank);
    case MessageType::kPeerLost:
      if (static_cast<std::size_t>(message.value) < processes_.size())
        control_.send_alive(static_cast<unsigned>(message.value), rank);
      return;
    case MessageType::kSocketClosed:
      return supervisor_.on_closed(rank);
    case MessageType::kMemberExited:
      process.member_exited = true;
      return supervisor_.check_exit(rank);
    case MessageType::kExited:
      process.exited = true;
      process.wait_status = message.value;
      return supervisor_.check_exit(rank);
    case MessageType::kSignalled:
      process.signalled_by = message.value;
      process.fail_at = 0;
      return supervisor_.fail_later(rank,
                                    "was told to end by " + describe_signal(message.value) + ", from " +
                                        launch_commands_.of(rank).name + " or from outside",
                                    kSignalledGrace);
    case MessageType::kOutput:
      return on_output(rank, message.value, message.payload);
    case MessageType::kCredit:
      return input_.on_credit(static_cast<std::size_t>(message.value));
    default:
      return supervisor_.on_protocol_error(
          rank,
          "has an agent that has sent an unknown message; install the same version of upcr on every host");
  }
}

void RemoteProcesses::on_started(unsigned rank, const Message& message) {
  processes_[rank].pid = message.value;
  if (!plan_.options.verbose) return;
  supervisor_.report("rank " + std::to_string(rank) + ": pid " + std::to_string(message.value) + ", host " +
                     agents_.host(rank) + ", " + plan_.threads_of(rank) + ", " +
                     std::string(message.payload));
}

void RemoteProcesses::on_output(unsigned rank, int stream, std::string_view bytes) {
  streams_[rank].uncredited += static_cast<int>(bytes.size());
  output_.append_remote(streams_[rank].number[stream == 2 ? 1 : 0], bytes.data(), bytes.size());
}

// Sends packets, and returns credit to agents whose output has been accepted.
void RemoteProcesses::flush() {
  for (unsigned rank = 0; rank < processes_.size(); ++rank) {
    Streams& streams = streams_[rank];
    control_.flush(rank);
    if (streams.uncredited == 0 || !output_.remote_has_room(streams.number[0]) ||
        !output_.remote_has_room(streams.number[1]))
      continue;
    agents_.send(rank, MessageType::kCredit, streams.uncredited);
    streams.uncredited = 0;
  }
}

void RemoteProcesses::on_agent_lost(unsigned rank) {
  control_.add(rank, nullptr);
  Process& process = processes_[rank];
  if (rank == 0) input_.stop();
  if (process.ended() || supervisor_.ending()) return;
  process.exited = true;
  process.lost = true;
  process.wait_status = 1 << 8;
  if (launch_commands_.of(rank).launcher_process.ended()) return on_launcher_exit(launch_commands_.of(rank));
  supervisor_.fail_later(
      rank, "cannot be reached any more: its host is gone, or the agent that started it was killed",
      kAgentLostGrace);
}

void RemoteProcesses::read_launcher_output() {
  for (LaunchCommand& command : launch_commands_.all())
    for (const std::string& line : command.launcher_process.read())
      if (plan_.options.verbose && !line.empty()) supervisor_.report(command.label() + ": " + line);
}

// The launcher's output, for the end of a message; empty with -v, which has shown it already.
std::string RemoteProcesses::output_of(const LaunchCommand& command) const {
  const std::string& said = command.launcher_process.output();
  if (said.empty() || plan_.options.verbose) return {};
  return "; it said:\n" + said.substr(0, said.find_last_not_of('\n') + 1);
}

// A launcher has ended, which is in order if all of its processes have ended or have agents.
void RemoteProcesses::on_launcher_exit(const LaunchCommand& command) {
  read_launcher_output();
  const LauncherProcess& launcher_process = command.launcher_process;
  const std::string where = command.host.empty() ? "" : "host " + command.host + ": ";
  if (plan_.options.verbose) supervisor_.report(where + launcher_process.describe_exit());
  if (supervisor_.ending() || released_) return;
  unsigned missing = 0, unconnected = 0;
  std::string lost_processes, signal_reason;
  for (unsigned rank = command.first; rank < command.first + command.count; ++rank) {
    missing += !processes_[rank].ended() || processes_[rank].awaits_reason() ? 1 : 0;
    unconnected += agents_.has_connected(rank) ? 0 : 1;
    if (processes_[rank].lost) lost_processes += "; " + processes_.describe(rank) + " is gone";
    // SIGTERM, by which mpirun itself ends its processes, explains nothing.
    if (processes_[rank].signalled_by != SIGTERM && processes_[rank].signalled() && signal_reason.empty())
      signal_reason = "; " + processes_.describe(rank) + " " + processes_[rank].fail_reason;
  }
  if (missing == 0) return;
  const std::string of = " of " + std::to_string(command.count) + " processes ";
  std::string message = "upcrun: " + where;
  if (!command.host.empty() && unconnected != 0)
    message +=
        command.explain_exit(launcher_process.status()) + " (" + launcher_process.describe_exit() + ")";
  else
    message += launcher_process.describe_exit() + " while " +
               std::to_string(unconnected != 0 ? unconnected : missing) + of +
               (unconnected != 0 ? "were not started" : "had not ended");
  // Status 255 of ssh: its connection broke. Status 0 of mpirun: it has not noticed the loss.
  const bool lost = unconnected == 0 && ((command.name == "ssh" && launcher_process.status() == kSshFailed) ||
                                         (!lost_processes.empty() && launcher_process.status() == 0));
  supervisor_.fail(lost                             ? Supervisor::kStatusHostLost
                   : launcher_process.status() != 0 ? launcher_process.status()
                                                    : 1,
                   message + lost_processes + signal_reason + output_of(command));
}

// The command's agents have not connected in time.
void RemoteProcesses::on_launcher_timeout(const LaunchCommand& command) {
  read_launcher_output();
  const bool some = command.connected != 0;
  const auto has_connected = [this](unsigned rank) { return agents_.has_connected(rank); };
  supervisor_.fail(
      1,
      "upcrun: " + describe_missing_hosts(command, has_connected) + " not answered within " +
          std::to_string(plan_.options.start_timeout) + " s of " +
          (some ? "the last answer of another process" : command.name + "'s start") +
          "; a host is down or slow (UPCRUN_START_TIMEOUT gives more seconds), the command that reaches it "
          "has started nothing, or its agent cannot reach this host's port " +
          std::to_string(agents_.port()) + " (UPCR_LAUNCH_IFACE, a firewall)" + output_of(command));
}

void RemoteProcesses::report_launchers() {
  for (const LaunchCommand& command : launch_commands_.all())
    if (!command.launcher_process.output().empty() && !plan_.options.verbose)
      supervisor_.report(command.describe() + " has said:\n" + command.launcher_process.output());
}

// Tells the agents to end their programs.
Milliseconds RemoteProcesses::end_programs() {
  input_.stop();
  launch_commands_.start_no_more();
  agents_.send_to_all(MessageType::kEndJob);
  if (agents_.connected() == 0) return 0;  // mpirun still starts processes, or hangs
  if (plan_.launch_method == LaunchMethod::kRemoteShell) launch_commands_.terminate_unconnected();
  return kAgentsGrace;
}

Milliseconds RemoteProcesses::terminate_launchers() {
  if (launcher_terminated_ || !launch_commands_.running()) return 0;
  if (!supervisor_.ending())
    supervisor_.report("all processes have ended, but " + launch_commands_.describe_running() +
                       " has not within " + std::to_string(kLauncherTimeout / 1000) +
                       " s after them; it gets SIGTERM");
  launcher_terminated_ = true;
  launch_commands_.terminate();
  return kLauncherTermGrace;
}

void RemoteProcesses::close_links() {
  agents_.close_all();
  for (unsigned rank = 0; rank < processes_.size(); ++rank) control_.add(rank, nullptr);
}

// All processes have ended: releases the agents, after which their launchers end.
void RemoteProcesses::release_agents() {
  if (released_) return;
  released_ = true;
  agents_.send_to_all(MessageType::kReleaseAgent);
}

bool RemoteProcesses::finished() {
  if (processes_.all_ended() && (supervisor_.ending() || !processes_.any_awaits_reason())) release_agents();
  if (agents_.connected() != 0) return false;
  if (!launch_commands_.running()) return supervisor_.ending() || released_;
  if (released_) supervisor_.limit_launchers(kLauncherTimeout);
  return false;
}

}  // namespace upcrun

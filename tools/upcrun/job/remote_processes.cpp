// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/remote_processes.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kAgentLostGrace = 3000;  // for mpirun or ssh to report why an agent is gone
constexpr Milliseconds kSignalledGrace = 3000;  // likewise, why mpirun ends the agents
// For the agents to end their programs, which takes up to 1000 of it.
constexpr Milliseconds kAgentsGrace = 2500;
constexpr Milliseconds kTerminalCheckInterval = 500;  // between checks whether upcrun is in the foreground

}  // namespace

RemoteProcesses::RemoteProcesses(const Plan& plan, const InheritedState& inherited, GuardState& guard_state,
                                 Output& output, Control& control, Processes& processes,
                                 Supervisor& supervisor)
    : plan_(plan),
      output_(output),
      control_(control),
      processes_(processes),
      supervisor_(supervisor),
      launch_(plan),
      rendezvous_(make_rendezvous(launch_.loopback_only())),
      agents_(rendezvous_.credentials, launch_.loopback_only(), 0, launch_.shares(),
              static_cast<AgentListener&>(*this)),
      launchers_(plan, inherited, guard_state, processes, supervisor),
      streams_(plan.processes) {
  rendezvous_.port = agents_.port();
  for (unsigned rank = 0; rank < processes_.size(); ++rank) {
    const std::string label = processes_.label(rank);
    streams_[rank].number[0] = output_.add_remote(rank, false, label);
    streams_[rank].number[1] = output_.add_remote(rank, true, label);
  }
}

bool RemoteProcesses::start_some() {
  const upcr::wire::JobVariable job = describe_job(plan_);
  LaunchSpec launch_spec = make_launch_spec(plan_, job.id, output_.merged());
  launch_spec.options.conduit = launch_.conduit();
  launch_spec_ = launch_spec.format();
  if (plan_.options.verbose) {
    supervisor_.report(plan_.program + ": " + std::to_string(job.threads) + " UPC threads in " +
                       std::to_string(job.size) + " processes, conduit " +
                       (launch_.conduit().empty() ? "as configured" : launch_.conduit()) + ", " +
                       launch_.describe());
    supervisor_.report("listening on port " + std::to_string(agents_.port()));
  }
  launchers_.start(launch_.commands(rendezvous_), agents_.port());
  return false;
}

void RemoteProcesses::collect(std::vector<pollfd>& fds) {
  const std::size_t first = fds.size();
  launchers_.collect(fds);
  polled_launchers_ = fds.size() - first;
  polled_input_ = agents_.link(0) != nullptr && processes_[0].connected() && input_.wanted();
  if (polled_input_) fds.push_back({STDIN_FILENO, POLLIN, 0});
  agents_.collect(fds);
}

void RemoteProcesses::handle(const pollfd* fds, std::size_t count) {
  const std::size_t first_agent = polled_launchers_ + (polled_input_ ? 1 : 0);
  agents_.handle(fds + first_agent, count - first_agent);
  launchers_.handle(fds, polled_launchers_);
  if (polled_input_ && fds[polled_launchers_].revents != 0 && agents_.link(0) != nullptr)
    input_.forward(*agents_.link(0));
}

Milliseconds RemoteProcesses::next_deadline() const {
  Milliseconds next = 0;
  const auto consider = [&next](Milliseconds at) {
    if (at != 0) next = next == 0 ? at : std::min(next, at);
  };
  consider(agents_.next_deadline());
  consider(launchers_.next_deadline());
  if (input_.in_background()) consider(now_ms() + kTerminalCheckInterval);
  return next;
}

void RemoteProcesses::check_deadlines() {
  agents_.check_deadlines();
  launchers_.check_deadlines();
}

void RemoteProcesses::forward_signal(int number) {
  for (unsigned rank = 0; rank < processes_.size(); ++rank)
    if (!processes_[rank].ended()) agents_.send(rank, MessageType::kForwardSignal, number);
}

void RemoteProcesses::on_peer_lost(unsigned rank, unsigned peer) {
  agents_.send(peer, MessageType::kPeerLost, static_cast<int>(rank));
}

void RemoteProcesses::on_agent(unsigned first, unsigned count) {
  const Subtree subtree = launch_.subtree(first);
  const bool relay = subtree.hosts.size() > 1;  // it reports the agents that it starts (kHostConnected)
  if (!relay) on_host(first, count, agents_.host(first));
  if (supervisor_.ending()) {
    launchers_.on_agent(first);
    return agents_.send(first, MessageType::kReleaseAgent);
  }
  agents_.send(first, MessageType::kLaunchSpec, 0,
               subtree.hosts.empty() ? launch_spec_ : launch_spec_ + subtree.format());
  for (unsigned rank = first; rank < first + count; ++rank)
    control_.add(rank, agents_.link(rank), agents_.number(rank));
  launchers_.on_agent(first);
}

// The agent that starts these processes has connected, to upcrun or to a relay.
void RemoteProcesses::on_host(unsigned first, unsigned count, const std::string& name) {
  for (unsigned rank = first; rank < first + count; ++rank) processes_[rank].host = name;
  if (!supervisor_.ending()) check_duplicate_host(first);
}

// Reports a host that was named by two names: it has two agents, and both bind their processes to the first
// CPUs.
void RemoteProcesses::check_duplicate_host(unsigned first) {
  const std::string name = launch_.host_name(first);
  if (name.empty()) return;  // mpirun, which binds nothing, and starts an agent for each process
  const auto [known, is_new] = host_names_.try_emplace(processes_[first].host, name);
  if (!is_new)
    supervisor_.report(known->second + " and " + name + " are the same host (" + known->first +
                       "): its processes share CPUs; name it once, or use --bind none");
}

void RemoteProcesses::on_rejected_agent(const Hello& hello, const std::string& why) {
  if (supervisor_.ending() || released_) return;
  if (hello.rank != Hello::kHostUnreachable)
    return supervisor_.fail(1, plan_.prefix() + "a process (pid " + std::to_string(hello.pid) + ", host " +
                                   hello.host + ") has connected that cannot be part of the job: " + why);
  // When all agents have connected, their links show what becomes of them.
  if (agents_.all_have_connected()) return;
  supervisor_.fail(1, plan_.prefix() + "host " + hello.host + ": " + why + launchers_.first_output());
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
      return supervisor_.fail(message.value, plan_.prefix() + "rank " + std::to_string(rank) + " on host " +
                                                 host_of(rank) + ": " +
                                                 escape_control_characters(message.payload));
    case MessageType::kHostConnected:
      return on_host(rank, std::min(static_cast<unsigned>(message.value), processes_.size() - rank),
                     std::string(message.payload));
    case MessageType::kHostLost:
      return on_agent_lost(rank);
    case MessageType::kLauncherEnded:
      return launchers_.on_exit(rank, message.value, LauncherReport::parse(message.payload));
    case MessageType::kLaunchTimedOut:
      return launchers_.on_timeout(LauncherReport::parse(message.payload));
    case MessageType::kPacket:
      control_.deliver(rank, message.payload, message.value);
      return control_.flush(rank);
    case MessageType::kContribution:
      return control_.deliver_contribution(rank, static_cast<unsigned>(message.value), message.payload);
    case MessageType::kArrived:
      return on_arrived(rank, message);
    case MessageType::kMistake:
      return supervisor_.on_protocol_error(rank, escape_control_characters(message.payload));
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
                                        launchers_.of(rank).name + " or from outside",
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
                     host_of(rank) + ", " + plan_.threads_of(rank) + ", " + std::string(message.payload));
}

// As the host has named itself, or the user.
std::string RemoteProcesses::host_of(unsigned rank) const {
  return !processes_[rank].host.empty() ? processes_[rank].host : launch_.host_name(rank);
}

// `first`: the rank of the link's first process.
void RemoteProcesses::on_arrived(unsigned first, const Message& message) {
  std::uint32_t number = 0;
  for (std::size_t at = 0; at + sizeof number <= message.payload.size(); at += sizeof number) {
    std::memcpy(&number, message.payload.data() + at, sizeof number);
    if (number < processes_.size() - first)
      control_.note_arrived(first + number, static_cast<upcr::wire::Type>(message.value));
  }
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
  process.host = host_of(rank);
  process.exited = true;
  process.lost = true;
  process.wait_status = 1 << 8;
  if (launchers_.has_ended(rank)) return;  // and has given a reason
  supervisor_.fail_later(
      rank, "cannot be reached any more: its host is gone, or the agent that started it was killed",
      kAgentLostGrace);
}

// Tells the agents to end their programs.
Milliseconds RemoteProcesses::end_programs() {
  input_.stop();
  launchers_.start_no_more();
  agents_.send_to_all(MessageType::kEndJob);
  if (agents_.connected() == 0) return 0;  // mpirun still starts processes, or hangs
  launchers_.terminate_unconnected();
  return kAgentsGrace;
}

void RemoteProcesses::close_links() {
  agents_.close_all();
  for (unsigned rank = 0; rank < processes_.size(); ++rank) control_.add(rank, nullptr);
}

// All processes have ended: releases the agents, after which their launchers end.
void RemoteProcesses::release_agents() {
  if (released_) return;
  released_ = true;
  launchers_.expect_exit();
  agents_.send_to_all(MessageType::kReleaseAgent);
}

bool RemoteProcesses::finished() {
  if (processes_.all_ended() && (supervisor_.ending() || !processes_.any_awaits_reason())) release_agents();
  if (agents_.connected() != 0) return false;
  if (!launchers_.running()) return supervisor_.ending() || released_;
  if (released_) supervisor_.limit_launchers();
  return false;
}

}  // namespace upcrun

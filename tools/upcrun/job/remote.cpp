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
#include "tools/upcrun/job/accepted.hpp"
#include "tools/upcrun/job/job.hpp"
#include "tools/upcrun/launch/mpirun.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/protocol/remote_shell_proxy.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kAgentLostGrace = 3000;  // for mpirun or ssh to report why an agent is gone
constexpr Milliseconds kSignalledGrace = 3000;  // likewise, why mpirun ends the agents
constexpr Milliseconds kAgentsGrace =
    2500;  // for the agents to end their programs, which takes up to 1000 of it
constexpr Milliseconds kLauncherTimeout = 10'000;  // for mpirun or ssh to exit after all agents
constexpr Milliseconds kLauncherTermGrace = kMpirunTermGrace + 500;  // between SIGTERM to it and SIGKILL
constexpr int kSshFailed = 255;
constexpr std::size_t kMostNamed = 8;  // hosts in one message

}  // namespace

void Job::on_agent(unsigned first, unsigned count) {
  launch_commands_.on_agent_connected(first);
  if (ending_) return remotes_->tell(first, MessageType::kRelease);
  remotes_->tell(first, MessageType::kLaunchSpec, 0, order_);
  for (unsigned rank = first; rank < first + count; ++rank)
    control_.add(rank, remotes_->link(rank), remotes_->number(rank));
  check_duplicate_host(first);
  start_launchers();
}

// Reports a host that was named by two names: it has two agents, and both bind their processes to the first
// CPUs.
void Job::check_duplicate_host(unsigned first) {
  const std::string& name = launch_commands_.of(first).host;
  if (name.empty()) return;  // mpirun, which binds nothing, and starts an agent for each process
  const auto [known, is_new] = names_.try_emplace(remotes_->host(first), name);
  if (!is_new)
    say(known->second + " and " + name + " are the same host (" + known->first +
        "): its processes share CPUs; name it once, or say --bind none");
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
  if (hello.rank != Hello::kUnreachable)
    return fail(1, "upcrun: a process (pid " + std::to_string(hello.pid) + ", host " + hello.host +
                       ") came that cannot be part of the job: " + why);
  // When all agents have come, their links tell what becomes of them.
  if (remotes_->all_have_connected()) return;
  read_launcher_output();
  fail(1, "upcrun: host " + hello.host + ": " + why + words_of(launch_commands_.all().front()));
}

void Job::on_rejected_connection(const std::string& what) {
  if (plan_.options.verbose) say(what);
}

void Job::on_word(unsigned rank, const Message& message) {
  Process& process = processes_[rank];
  switch (message.word) {
    case MessageType::kStarted:
      return note_started(rank, message);
    case MessageType::kStartFailed:
      process.exited = true;
      return fail(message.value, "upcrun: rank " + std::to_string(rank) + " on host " + remotes_->host(rank) +
                                     ": " + escape_control_characters(message.payload));
    case MessageType::kPacket:
      control_.deliver(rank, message.payload, message.value);
      return control_.flush(rank);
    case MessageType::kSocketClosed:
      return on_closed(rank);
    case MessageType::kMemberExited:
      process.member_exited = true;
      return judge(rank);
    case MessageType::kEnded:
      process.exited = true;
      process.wait_status = message.value;
      return judge(rank);
    case MessageType::kSignalled:
      process.signalled_by = message.value;
      process.fail_at = 0;
      return suspect(rank,
                     "was told to end by " + describe_signal(message.value) + ", from " +
                         launch_commands_.of(rank).name + " or from outside",
                     kSignalledGrace);
    case MessageType::kOutput:
      return note_output(rank, message.value, message.payload);
    case MessageType::kCredit:
      return input_.on_credit(static_cast<std::size_t>(message.value));
    default:
      return on_protocol_error(rank, "has an agent that says what this upcrun does not understand");
  }
}

void Job::note_started(unsigned rank, const Message& message) {
  processes_[rank].pid = message.value;
  if (!plan_.options.verbose) return;
  say("rank " + std::to_string(rank) + ": pid " + std::to_string(message.value) + ", host " +
      remotes_->host(rank) + ", " + plan_.threads_of(rank) + ", " + std::string(message.payload));
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
    remotes_->tell(rank, MessageType::kCredit, process.uncredited);
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
  if (launch_commands_.of(rank).starter.ended()) return on_launcher_exit(launch_commands_.of(rank));
  suspect(rank, "cannot be reached any more: its host is gone, or the agent that started it was killed",
          kAgentLostGrace);
}

void Job::read_launcher_output() {
  for (LaunchCommand& start : launch_commands_.all())
    for (const std::string& line : start.starter.read())
      if (plan_.options.verbose && !line.empty()) say(start.label() + ": " + line);
}

// What it has said, for the end of a message. -v has shown it already.
std::string Job::words_of(const LaunchCommand& start) const {
  const std::string& said = start.starter.said();
  if (said.empty() || plan_.options.verbose) return {};
  return "; it said:\n" + said.substr(0, said.find_last_not_of('\n') + 1);
}

// A launcher has ended, which is in order if all of its processes have ended or have agents.
void Job::on_launcher_exit(const LaunchCommand& start) {
  read_launcher_output();
  const LauncherProcess& starter = start.starter;
  const std::string where = start.host.empty() ? "" : "host " + start.host + ": ";
  if (plan_.options.verbose) say(where + starter.describe_exit());
  if (ending_ || released_) return;
  unsigned missing = 0, unheard = 0;
  std::string gone, told;
  for (unsigned rank = start.first; rank < start.first + start.count; ++rank) {
    missing += !over(processes_[rank]) || troubled(processes_[rank]) ? 1 : 0;
    unheard += remotes_->has_come(rank) ? 0 : 1;
    if (processes_[rank].lost) gone += "; " + who(rank) + " is gone";
    // The signal by which mpirun itself ends its processes explains nothing.
    if (processes_[rank].signalled_by != SIGTERM && processes_[rank].told() && told.empty())
      told = "; " + who(rank) + " " + processes_[rank].fail_reason;
  }
  if (missing == 0) return;
  const std::string of = " of " + std::to_string(start.count) + " processes ";
  std::string message = "upcrun: " + where;
  if (!start.host.empty() && unheard != 0)
    message += start.why(starter.status()) + " (" + starter.describe_exit() + ")";
  else
    message += starter.describe_exit() + " while " + std::to_string(unheard != 0 ? unheard : missing) + of +
               (unheard != 0 ? "were not started" : "had not ended");
  // 255 of ssh's: its connection broke. An mpirun that is content has not noticed.
  const bool lost = unheard == 0 && ((start.name == "ssh" && starter.status() == kSshFailed) ||
                                     (!gone.empty() && starter.status() == 0));
  fail(lost                    ? kStatusHostLost
       : starter.status() != 0 ? starter.status()
                               : 1,
       message + gone + told + words_of(start));
}

// "host b has", "hosts b, c have": those of this start's hosts from which processes are missing. Open MPI's
// mpirun starts no process before the daemons of all hosts are there: those that are there are not named.
std::string Job::silent_hosts(const LaunchCommand& start) const {
  if (!start.host.empty()) return "host " + start.host + " has";
  struct Silent {
    std::string name, words;
  };
  std::vector<Silent> silent;
  unsigned rank = start.first;
  for (const Host& host : start.hosts) {
    unsigned missing = 0;
    for (const unsigned end = rank + host.slots; rank < end; ++rank)
      missing += remotes_->has_come(rank) ? 0 : 1;
    const bool all = missing == host.slots;
    if (missing != 0)
      silent.push_back({host.name, all ? host.name
                                       : host.name + " (" + std::to_string(missing) + " of " +
                                             std::to_string(host.slots) + " processes)"});
  }
  if (silent.empty())  // the batch system's
    return std::to_string(start.agents - start.connected) + " of " + std::to_string(start.count) +
           " processes have";
  const std::vector<std::string> peers = connected_peers();
  const auto answered = [&peers](const Silent& s) {
    return is_this_host(s.name) || connected_from(s.name, peers);
  };
  if (!std::all_of(silent.begin(), silent.end(), answered)) std::erase_if(silent, answered);
  std::string names;
  for (std::size_t i = 0; i < std::min(silent.size(), kMostNamed); ++i)
    names += (i != 0 ? ", " : "") + silent[i].words;
  if (silent.size() > kMostNamed) names += " and " + std::to_string(silent.size() - kMostNamed) + " more";
  return (silent.size() == 1 ? "host " : "hosts ") + names + (silent.size() == 1 ? " has" : " have");
}

// Its agents have not connected in time.
void Job::on_launcher_timeout(const LaunchCommand& start) {
  read_launcher_output();
  const bool some = start.connected != 0;
  fail(1,
       "upcrun: " + silent_hosts(start) + " not answered within " +
           std::to_string(plan_.options.start_timeout) + " s of " +
           (some ? "the last answer of another process" : start.name + "'s start") +
           "; a host is down or slow (UPCRUN_START_TIMEOUT gives more seconds), the command that reaches it "
           "has started nothing, or its agent cannot reach this host's port " +
           std::to_string(remotes_->port()) + " (UPCR_LAUNCH_IFACE, a firewall)" + words_of(start));
}

// Tells the agents to end their programs.
void Job::end_remote_processes() {
  input_.stop();
  launch_commands_.start_no_more();
  if (!remotes_) return;
  remotes_->send_to_all(MessageType::kEnd);
  kill_at_ = now_ms() + kAgentsGrace;
  if (remotes_->connected() == 0) return force_remote_end();  // mpirun is still busy starting, or hangs
  if (plan_.way == Way::kRemoteShell) launch_commands_.ask_to_end(true);
}

// Ends what has not ended in time: first by SIGTERM to the launcher, then by SIGKILL to all descendants.
void Job::force_remote_end() {
  if (!ending_ && !launcher_asked_)
    say("all processes have ended, but " + launch_commands_.describe_running() + " has not within " +
        std::to_string(kLauncherTimeout / 1000) + " s after them; it is told to");
  kill_at_ = now_ms() + kLauncherTermGrace;
  if (launch_commands_.running() && !launcher_asked_) {
    launcher_asked_ = true;
    return launch_commands_.ask_to_end(false);
  }
  const bool hopeless = killed_.kill_descendants();
  remotes_->close_all();
  for (unsigned rank = 0; rank < size_; ++rank) control_.add(rank, nullptr);
  kill_at_ = now_ms() + 20;
  if (hopeless) leave_behind(killed_.in_words());
}

// All processes have ended: releases the agents, after which their launchers end.
void Job::release_agents() {
  if (released_) return;
  released_ = true;
  remotes_->send_to_all(MessageType::kRelease);
}

bool Job::remote_over() {
  if (!remotes_) return true;  // nothing was started
  const bool trouble = std::any_of(processes_.begin(), processes_.end(), troubled);
  if (all_over() && (ending_ || !trouble)) release_agents();
  if (released_ && !ending_ && kill_at_ == 0 && remotes_->connected() == 0 && launch_commands_.running())
    kill_at_ = now_ms() + kLauncherTimeout;
  return (ending_ || released_) && remotes_->connected() == 0 && !launch_commands_.running();
}

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/relay/relay.hpp"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "tools/upcrun/base/descendants.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/signals.hpp"
#include "tools/upcrun/remote/agent_launch.hpp"
#include "tools/upcrun/remote/host_command.hpp"
#include "tools/upcrun/remote/tree.hpp"

namespace upcrun {
namespace {

// For the agents to end their programs, which may still report an error, and for their launchers to end.
constexpr Milliseconds kLaunchersGrace = upcr::wire::kReportGrace + 5000;
constexpr Milliseconds kOrphanGrace = 250;
constexpr Milliseconds kDrainTime = 5000;  // to send the rest to upcrun

UniqueFd open_signal_fd() {
  const sigset_t set = watched_signals();
  (void)::sigprocmask(SIG_BLOCK, &set, nullptr);
  return UniqueFd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

// The relay's own host, then the parts that others serve.
std::vector<std::vector<Host>> parts_of(const Subtree& subtree) {
  std::vector<std::vector<Host>> parts = {{subtree.hosts.front()}};
  const std::vector<Host> others(subtree.hosts.begin() + 1, subtree.hosts.end());
  for (std::vector<Host>& part : split_hosts(others, std::max(subtree.fanout, 1u)))
    parts.push_back(std::move(part));
  return parts;
}

std::vector<unsigned> shares_of(const std::vector<std::vector<Host>>& parts) {
  std::vector<unsigned> shares;
  for (const std::vector<Host>& part : parts) shares.push_back(processes_on(part));
  return shares;
}

HostCommand command_of(const Subtree& subtree) {
  Allocation allocation;
  allocation.system = subtree.system;
  allocation.id = subtree.allocation_id;
  return {subtree.rsh, allocation, path_of_upcrun()};
}

}  // namespace

Relay::Relay(Link& up, const LaunchSpec& spec, const InheritedState& inherited, unsigned first,
             std::string host)
    : up_(up),
      spec_(spec),
      inherited_(inherited),
      first_(first),
      count_(processes_on(spec.subtree.hosts)),
      host_(std::move(host)),
      parts_(parts_of(spec.subtree)),
      text_(spec.format()),
      rendezvous_(make_relay_rendezvous()),
      agents_(rendezvous_.credentials, false, first, shares_of(parts_), static_cast<AgentListener&>(*this)),
      commands_(Milliseconds{spec.subtree.start_timeout} * 1000),
      collection_(first, count_, spec.processes),
      arrivals_(count_),
      signals_(open_signal_fd()) {
  rendezvous_.port = agents_.port();
  std::vector<LaunchCommand> commands =
      agent_commands(parts_, first_, command_of(spec.subtree), rendezvous_.format());
  commands.front().arguments = {path_of_upcrun(), kAgentOption, kAgentByInput};
  commands.front().input_by_file = false;
  commands.front().name = "upcrun";
  for (LaunchCommand& command : commands) commands_.add(std::move(command));
}

void Relay::run() {
  start_launchers();
  while (const auto message = up_.next()) handle_up_message(*message);
  while (!may_leave()) loop_once();
  finish();
}

// Like an agent it stays until upcrun releases it, also when all below have ended.
bool Relay::may_leave() const {
  if (agents_.connected() != 0) return false;
  if (commands_.running()) return give_up_at_ != 0 && now_ms() >= give_up_at_;
  return released_ || ending_;
}

const std::vector<Host>& Relay::part_of(unsigned rank) const {
  unsigned end = first_;
  for (const std::vector<Host>& part : parts_)
    if (rank < (end += processes_on(part))) return part;
  return parts_.back();
}

void Relay::start_launchers() {
  try {
    commands_.start_some(inherited_);
  } catch (const Failure& failure) {
    up_.send(MessageType::kStartFailed, failure.status, failure.message);
  }
}

int Relay::timeout() const {
  Milliseconds next = agents_.connected() == 0 ? give_up_at_ : 0;  // see may_leave()
  for (const Milliseconds at :
       {agents_.next_deadline(), arrivals_.deadline(), ending_ ? 0 : commands_.next_deadline()})
    if (at != 0 && (next == 0 || at < next)) next = at;
  return next == 0 ? -1 : static_cast<int>(std::clamp<Milliseconds>(next - now_ms(), 0, 60'000));
}

void Relay::loop_once() {
  polled_.clear();
  polled_.push_back({up_.fd(), static_cast<short>(up_.unsent() != 0 ? POLLIN | POLLOUT : POLLIN), 0});
  polled_.push_back({signals_.get(), POLLIN, 0});
  for (const LaunchCommand& command : commands_.all())
    if (command.launcher_process.fd() >= 0) polled_.push_back({command.launcher_process.fd(), POLLIN, 0});
  const std::size_t first_agent = polled_.size();
  agents_.collect(polled_);
  if (::poll(polled_.data(), polled_.size(), timeout()) > 0) {
    // The agents first: their messages are the reason for the end of their launchers.
    agents_.handle(polled_.data() + first_agent, polled_.size() - first_agent);
    read_launchers();
    if (polled_[1].revents != 0) handle_signals();
    if (polled_[0].revents != 0) handle_up();
  }
  check_deadlines();
}

void Relay::check_deadlines() {
  agents_.check_deadlines();
  if (arrivals_.deadline() != 0 && now_ms() >= arrivals_.deadline())
    if (const std::string arrived = arrivals_.report(collection_); !arrived.empty())
      up_.send(MessageType::kArrived, static_cast<int>(collection_.type()), arrived);
  if (ending_) return;
  LaunchCommand* const late = commands_.timed_out();
  if (late == nullptr) return;
  report_launcher(MessageType::kLaunchTimedOut, *late);
  late->deadline += Milliseconds{spec_.subtree.start_timeout} * 1000;  // upcrun ends the job
}

// Appears on upcrun's standard error.
void Relay::say(const std::string& line) {
  up_.send(MessageType::kOutput, 2, "upcrun: host " + host_ + ": " + line + "\n");
}

void Relay::read_launchers() {
  for (LaunchCommand& command : commands_.all())
    for (const std::string& line : command.launcher_process.read())
      if (spec_.subtree.verbose && !line.empty()) say(command.label() + ": " + line);
}

void Relay::handle_signals() {
  signalfd_siginfo info;
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGCHLD) continue;
    if (!ending_)
      for (unsigned rank = first_; rank < first_ + count_; ++rank)
        send(rank, MessageType::kSignalled, static_cast<int>(info.ssi_signo));
    end_job();
  }
  int status = 0;
  for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    const LaunchCommand* const command = commands_.on_exit(pid, status);
    if (command == nullptr) continue;
    read_launchers();
    if (!ending_ && !released_) report_launcher(MessageType::kLauncherEnded, *command);
  }
}

void Relay::report_launcher(MessageType type, const LaunchCommand& command) {
  const LauncherProcess& process = command.launcher_process;
  LauncherReport report;
  report.name = command.name;
  report.host = command.host;
  report.relay = host_;
  report.processes = command.count;
  report.port = agents_.port();
  if (type == MessageType::kLauncherEnded) {
    report.exit = process.describe_exit();
    report.explanation = command.explain_exit(process.status());
  }
  if (!spec_.subtree.verbose) report.output = process.output();
  send(command.first, type, process.ended() ? process.status() : 0, report.format());
}

void Relay::handle_up() {
  up_.flush();
  const bool open = up_.fill();
  while (const auto message = up_.next()) handle_up_message(*message);
  if (open && !up_.broken()) return;
  up_.close();
  end_job();
  agents_.close_all();
}

void Relay::handle_up_message(const Message& message) {
  switch (message.type) {
    case MessageType::kReply:
      return agents_.send_to_all(message.type, std::make_shared<const std::string>(message.payload));
    case MessageType::kEndJob:
      return end_job();
    case MessageType::kAwaitReport:
      return agents_.send_to_all(message.type);
    case MessageType::kReleaseAgent:
      released_ = true;
      commands_.start_no_more();
      give_up_at_ = now_ms() + kLaunchersGrace;
      return agents_.send_to_all(message.type);
    default:
      return agents_.send(first_ + message.process, message.type, message.value, message.payload);
  }
}

void Relay::end_job() {
  agents_.send_to_all(MessageType::kEndJob);
  if (ending_) return;
  ending_ = true;
  commands_.start_no_more();
  commands_.terminate_unconnected();
  give_up_at_ = now_ms() + kLaunchersGrace;
}

void Relay::on_agent(unsigned first, unsigned count) {
  commands_.on_agent_connected(first);
  if (ending_ || released_) return agents_.send(first, MessageType::kReleaseAgent);
  Subtree subtree = spec_.subtree;
  subtree.hosts = part_of(first);
  agents_.send(first, MessageType::kLaunchSpec, 0, text_ + subtree.format());
  if (subtree.hosts.size() == 1)  // otherwise it is a relay, which reports hosts itself
    send(first, MessageType::kHostConnected, static_cast<int>(count), agents_.host(first));
  start_launchers();
}

void Relay::on_rejected_agent(const Hello& hello, const std::string& why) {
  if (!ending_ && !released_)
    up_.send(MessageType::kStartFailed, 1,
             "a process (pid " + std::to_string(hello.pid) + ", host " + hello.host +
                 ") has connected that cannot be part of the job: " + why);
}

void Relay::on_rejected_connection(const std::string& what) {
  if (spec_.subtree.verbose) say(what);
}

void Relay::on_message(unsigned rank, const Message& message) {
  if (message.type == MessageType::kContribution) return contribute(rank, message);
  send(rank, message.type, message.value, message.payload);
}

// Contributions of all below become one.
void Relay::contribute(unsigned rank, const Message& message) {
  upcr::wire::Header header{};
  const auto count = static_cast<unsigned>(message.value);
  if (message.payload.size() < sizeof header || count > first_ + count_ - rank) return;
  std::memcpy(&header, message.payload.data(), sizeof header);
  if (const std::string wrong =
          collection_.add_range(rank - first_, count, header, message.payload.substr(sizeof header));
      !wrong.empty())
    return send(rank, MessageType::kMistake, 0, wrong);
  if (!collection_.complete()) return arrivals_.on_arrival(now_ms());
  arrivals_.on_complete();
  const Contribution all = collection_.take();
  up_.send(MessageType::kContribution, static_cast<int>(count_),
           {reinterpret_cast<const char*>(&all.header), sizeof all.header}, all.bytes);
}

void Relay::on_agent_lost(unsigned rank) {
  if (!ending_) send(rank, MessageType::kHostLost);
}

void Relay::finish() {
  for (const std::string& line : end_descendants(kOrphanGrace, SIGTERM)) say(line);
  const Milliseconds until = now_ms() + kDrainTime;
  while (up_.unsent() != 0 && now_ms() < until) {
    pollfd wait{up_.fd(), POLLOUT, 0};
    (void)::poll(&wait, 1, 100);
    up_.flush();
  }
}

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/launch/launch_commands.hpp"

#include <signal.h>

#include <algorithm>

namespace upcrun {

void LaunchCommands::start_some(const InheritedState& inherited) {
  auto waiting =
      std::count_if(all_.begin(), all_.end(), [](const LaunchCommand& s) { return s.awaits_agents(); });
  for (; next_ < all_.size() && waiting < kMaxConcurrent; ++waiting) {
    LaunchCommand& command = all_[next_++];
    command.started = true;
    if (command.input_by_file) {
      command.input_file = std::make_shared<LineFile>(command.input);
      command.arguments.back() = command.input_file->path();
      command.input.clear();
    }
    if (command.host.empty())
      command.launcher_process.start_mpirun(command.arguments, command.variables, inherited);
    else
      command.launcher_process.start_remote_shell(command.name, command.arguments, command.input, inherited);
    command.deadline = now_ms() + timeout_;
    command.input.clear();
  }
}

LaunchCommand& LaunchCommands::of(unsigned rank) {
  return *std::find_if(all_.begin(), all_.end(), [rank](const LaunchCommand& s) {
    return rank >= s.first && rank < s.first + s.count;
  });
}

void LaunchCommands::on_agent_connected(unsigned rank) {
  LaunchCommand& command = of(rank);
  ++command.connected;
  command.deadline = now_ms() + timeout_;
}

bool LaunchCommands::running() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const LaunchCommand& s) { return s.launcher_process.running(); });
}

std::vector<ProcessId> LaunchCommands::without_monitor() const {
  std::vector<ProcessId> found;
  for (const LaunchCommand& command : all_)
    if (command.launcher_process.monitor_killed()) found.push_back(command.launcher_process.mpirun());
  return found;
}

std::string LaunchCommands::describe_running() const {
  std::string text;
  for (const LaunchCommand& command : all_)
    if (command.launcher_process.running()) text += (text.empty() ? "" : ", ") + command.describe();
  return text;
}

LaunchCommand* LaunchCommands::on_exit(pid_t pid, int wait_status) {
  for (LaunchCommand& command : all_) {
    if (!command.launcher_process.running() || command.launcher_process.pid() != pid) continue;
    command.launcher_process.on_exit(wait_status);
    return &command;
  }
  return nullptr;
}

void LaunchCommands::terminate() const {
  for (const LaunchCommand& command : all_)
    if (command.launcher_process.running()) (void)::kill(command.launcher_process.pid(), SIGTERM);
}

void LaunchCommands::terminate_unconnected() const {
  for (const LaunchCommand& command : all_)
    if (command.awaits_agents()) (void)::kill(command.launcher_process.pid(), SIGTERM);
}

Milliseconds LaunchCommands::next_deadline() const {
  Milliseconds next = 0;
  for (const LaunchCommand& command : all_)
    if (command.awaits_agents() && (next == 0 || command.deadline < next)) next = command.deadline;
  return next;
}

LaunchCommand* LaunchCommands::timed_out() {
  const Milliseconds now = now_ms();
  for (LaunchCommand& command : all_)
    if (command.awaits_agents() && now >= command.deadline) return &command;
  return nullptr;
}

}  // namespace upcrun

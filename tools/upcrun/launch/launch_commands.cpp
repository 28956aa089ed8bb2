// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/launch/launch_commands.hpp"

#include <signal.h>

#include <algorithm>

namespace upcrun {

void LaunchCommands::start_some(const InheritedState& inherited) {
  auto waiting =
      std::count_if(all_.begin(), all_.end(), [](const LaunchCommand& s) { return s.awaits_agents(); });
  for (; next_ < all_.size() && waiting < kMaxConcurrent; ++waiting) {
    LaunchCommand& start = all_[next_++];
    start.begun = true;
    if (start.host.empty())
      start.starter.start(start.words, start.variables, inherited);
    else
      start.starter.start_remote_shell(start.name, start.words, start.input, inherited);
    start.until = now_ms() + patience_;
    start.input.clear();
  }
}

LaunchCommand& LaunchCommands::of(unsigned rank) {
  return *std::find_if(all_.begin(), all_.end(), [rank](const LaunchCommand& s) {
    return rank >= s.first && rank < s.first + s.count;
  });
}

void LaunchCommands::on_agent_connected(unsigned rank) {
  LaunchCommand& start = of(rank);
  ++start.connected;
  start.until = now_ms() + patience_;
}

bool LaunchCommands::running() const {
  return std::any_of(all_.begin(), all_.end(), [](const LaunchCommand& s) { return s.starter.running(); });
}

std::vector<ProcessId> LaunchCommands::without_monitor() const {
  std::vector<ProcessId> found;
  for (const LaunchCommand& start : all_)
    if (start.starter.monitor_killed()) found.push_back(start.starter.mpirun());
  return found;
}

std::string LaunchCommands::describe_running() const {
  std::string text;
  for (const LaunchCommand& start : all_)
    if (start.starter.running()) text += (text.empty() ? "" : ", ") + start.in_words();
  return text;
}

LaunchCommand* LaunchCommands::note_end(pid_t pid, int wait_status) {
  for (LaunchCommand& start : all_) {
    if (!start.starter.running() || start.starter.pid() != pid) continue;
    start.starter.note_end(wait_status);
    return &start;
  }
  return nullptr;
}

void LaunchCommands::ask_to_end(bool waiting) const {
  for (const LaunchCommand& start : all_)
    if (start.starter.running() && (!waiting || start.awaits_agents()))
      (void)::kill(start.starter.pid(), SIGTERM);
}

Milliseconds LaunchCommands::next_deadline() const {
  Milliseconds next = 0;
  for (const LaunchCommand& start : all_)
    if (start.awaits_agents() && (next == 0 || start.until < next)) next = start.until;
  return next;
}

LaunchCommand* LaunchCommands::late() {
  const Milliseconds now = now_ms();
  for (LaunchCommand& start : all_)
    if (start.awaits_agents() && now >= start.until) return &start;
  return nullptr;
}

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// The commands that start the agents of a job: one mpirun for all of them, or a remote shell for each host,
// of which a limited number wait for their agents at the same time. Knows nothing of the rules of jobs.
// Single-threaded.
#pragma once
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/launch/launcher_process.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/plan/hosts.hpp"

namespace upcrun {

struct LaunchCommand {
  std::string name;                         // "mpirun", "ssh"
  std::string host;                         // empty: mpirun, which reaches the hosts by itself
  unsigned first = 0, count = 0;            // the ranks that it brings
  std::vector<std::string> words = {};      // the command
  std::vector<std::string> variables = {};  // on top of upcrun's own
  std::string input = {};                   // that it reads
  // Of a host's: what its end with this status means, before its agent has come, and the cure.
  std::function<std::string(int status)> why = {};
  std::vector<Host> hosts = {};  // of mpirun's: dealt; empty where a batch system names them
  unsigned agents = 1;           // that it brings
  LauncherProcess starter = {};
  bool begun = false;
  unsigned connected = 0;  // of its agents: how many have connected so far
  Milliseconds until = 0;  // for the next agent to connect

  // "mpirun", "host b"
  std::string label() const { return host.empty() ? name : "host " + host; }
  // "mpirun", "ssh for host b"
  std::string in_words() const { return host.empty() ? name : name + " for host " + host; }
  bool awaits_agents() const { return begun && connected < agents && starter.running(); }
};

class LaunchCommands {
 public:
  // The most remote shells that run before their agents have connected.
  static constexpr unsigned kMaxConcurrent = 32;

  // `patience`: for the first agent of a command to connect, and for each further one after the one before.
  explicit LaunchCommands(Milliseconds patience) : patience_(patience) {}

  // In the order of the ranks.
  void add(LaunchCommand start) { all_.push_back(std::move(start)); }
  // Begins as many as may now. Throws Failure.
  void start_some(const InheritedState& inherited);
  void start_no_more() noexcept { next_ = all_.size(); }

  std::vector<LaunchCommand>& all() noexcept { return all_; }
  LaunchCommand& of(unsigned rank);
  // The agent of this rank has connected.
  void on_agent_connected(unsigned rank);
  bool running() const;
  // Every mpirun whose monitor was killed; see LauncherProcess.
  std::vector<ProcessId> without_monitor() const;
  // The commands that still run, for a message.
  std::string describe_running() const;
  // Whose process has ended; null when it is none of ours.
  LaunchCommand* note_end(pid_t pid, int wait_status);
  // `waiting`: those only whose agents have not come.
  void ask_to_end(bool waiting) const;

  // The earliest time limit of a command that waits for its agents; 0: there is none. And a command that has
  // exceeded its limit, or null.
  Milliseconds next_deadline() const;
  LaunchCommand* late();

 private:
  std::vector<LaunchCommand> all_;
  std::size_t next_ = 0;  // to begin
  const Milliseconds patience_;
};

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// The commands that start the agents of a job: one mpirun for all of them, or a remote shell for each host,
// of which a limited number wait for their agents at the same time. Knows nothing of the rules of jobs.
// Single-threaded.
#pragma once
#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/launch/launcher_process.hpp"
#include "tools/upcrun/launch/line_file.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/plan/hosts.hpp"

namespace upcrun {

struct LaunchCommand {
  std::string name;                                 // "mpirun", "ssh"
  std::string host;                                 // empty: mpirun, which reaches the hosts itself
  unsigned first = 0, count = 0;                    // the ranks of its processes
  std::vector<std::string> arguments = {};          // the command line
  std::vector<std::string> variables = {};          // "NAME=VALUE", in addition to upcrun's environment
  std::string input = {};                           // its standard input
  bool input_by_file = false;                       // instead: by a file, whose path is the last argument
  std::shared_ptr<const LineFile> input_file = {};  // from its start on
  // Of a remote shell: explains an exit with this status before its agent has connected: cause and cure.
  std::function<std::string(int status)> explain_exit = {};
  std::vector<Host> hosts =
      {};               // of mpirun: with their numbers of processes; empty where a batch system names them
  unsigned agents = 1;  // that it starts
  LauncherProcess launcher_process = {};
  bool started = false;
  unsigned connected = 0;     // number of its agents that have connected so far
  Milliseconds deadline = 0;  // for the next agent to connect

  // "mpirun", "host b"
  std::string label() const { return host.empty() ? name : "host " + host; }
  // "mpirun", "ssh for host b"
  std::string describe() const { return host.empty() ? name : name + " for host " + host; }
  bool awaits_agents() const { return started && connected < agents && launcher_process.running(); }
};

class LaunchCommands {
 public:
  // The most remote shells that run before their agents have connected.
  static constexpr unsigned kMaxConcurrent = 32;

  // `timeout`: for a command's first agent to connect, and for each further one after the one before it.
  explicit LaunchCommands(Milliseconds timeout) : timeout_(timeout) {}

  // Call it in the order of the ranks.
  void add(LaunchCommand command) { all_.push_back(std::move(command)); }
  // Starts as many commands as may run now. Throws Failure.
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
  // Records the end of a process. Returns its command; null when the process is no launcher.
  LaunchCommand* on_exit(pid_t pid, int wait_status);
  // Sends SIGTERM to the commands that run, or only to those whose agents have not connected.
  void terminate() const;
  void terminate_unconnected() const;

  // The earliest time limit of a command that waits for its agents; 0: there is none. And a command that has
  // exceeded its limit, or null.
  Milliseconds next_deadline() const;
  LaunchCommand* timed_out();

 private:
  std::vector<LaunchCommand> all_;
  std::size_t next_ = 0;  // to start
  const Milliseconds timeout_;
};

}  // namespace upcrun

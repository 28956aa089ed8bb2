// SPDX-License-Identifier: BSD-3-Clause
// The launchers of agents, mpirun or remote shells, while a job runs: starts them, shows their output, and
// fails the job when one ends or times out while processes are missing.
#pragma once
#include <poll.h>

#include <string>
#include <vector>

#include "tools/upcrun/job/processes.hpp"
#include "tools/upcrun/job/supervisor.hpp"
#include "tools/upcrun/launch/guard.hpp"
#include "tools/upcrun/launch/launch_commands.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/plan/plan.hpp"
#include "tools/upcrun/protocol/launcher_report.hpp"

namespace upcrun {

class AgentLaunchers {
 public:
  // The references must outlive this object.
  AgentLaunchers(const Plan& plan, const InheritedState& inherited, GuardState& guard_state,
                 const Processes& processes, Supervisor& supervisor);

  // Starts those of these commands that may run at once. `port`: where upcrun listens, for messages. Throws
  // Failure.
  void start(std::vector<LaunchCommand> commands, unsigned port);
  // The agent of this rank has connected: starts further remote shells.
  void on_agent(unsigned rank);
  // The job ends.
  void start_no_more() noexcept { commands_.start_no_more(); }
  // Sends SIGTERM to remote shells whose agents have not connected.
  void terminate_unconnected() const;
  // The agents have been told that all processes have ended, so the launchers will end.
  void expect_exit() noexcept { exit_expected_ = true; }

  const LaunchCommand& of(unsigned rank) { return commands_.of(rank); }
  bool running() const { return commands_.running(); }
  std::vector<ProcessId> without_monitor() const { return commands_.without_monitor(); }

  // Appends the descriptors to poll; handle() takes the same entries after poll().
  void collect(std::vector<pollfd>& fds);
  void handle(const pollfd* fds, std::size_t count);
  // A child of upcrun has ended, perhaps another one.
  void on_child_exit(pid_t pid, int wait_status);
  // A relay reports the end of one of its launchers, for the processes from `first` on; or one whose agent
  // has not connected in time.
  void on_exit(unsigned first, int status, const LauncherReport& report);
  void on_timeout(const LauncherReport& report);
  // The link to the agent of this rank is lost. Whether its launcher has ended: then that fails the job.
  bool has_ended(unsigned rank);

  // The earliest time limit for an agent to connect; 0: there is none.
  Milliseconds next_deadline() const;
  void check_deadlines();

  // Sends SIGTERM to those that run, once: ProcessBackend::terminate_launchers().
  Milliseconds terminate();
  // For the message of --timeout: prints their output.
  void report();
  // The output of the first one, mpirun, for the end of a message; empty with -v, which has shown it already.
  std::string first_output();

 private:
  void read_output();
  std::string output_of(const LaunchCommand& command) const;
  void on_exit(const LaunchCommand& command);
  void on_timeout(const LaunchCommand& command);

  const Plan& plan_;
  const InheritedState& inherited_;
  GuardState& guard_state_;
  const Processes& processes_;
  Supervisor& supervisor_;
  LaunchCommands commands_;
  unsigned port_ = 0;
  bool exit_expected_ = false;
  bool terminated_ = false;
};

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// Processes with agents (agent.hpp), which report their events over links: starts the agents by mpirun or
// remote shells, forwards input and output, and ends the agents after their programs.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/job/agent_launchers.hpp"
#include "tools/upcrun/job/control.hpp"
#include "tools/upcrun/job/output.hpp"
#include "tools/upcrun/job/process_backend.hpp"
#include "tools/upcrun/job/processes.hpp"
#include "tools/upcrun/job/supervisor.hpp"
#include "tools/upcrun/launch/guard.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/remote/agent_launch.hpp"
#include "tools/upcrun/remote/agents.hpp"
#include "tools/upcrun/remote/input.hpp"

namespace upcrun {

class RemoteProcesses final : public ProcessBackend, private AgentListener {
 public:
  // Opens the port for the agents. The references must outlive this object. Throws Failure.
  RemoteProcesses(const Plan& plan, const InheritedState& inherited, GuardState& guard_state, Output& output,
                  Control& control, Processes& processes, Supervisor& supervisor);

  bool start_some() override;
  void collect(std::vector<pollfd>& fds) override;
  void handle(const pollfd* fds, std::size_t count) override;
  void flush() override;
  void on_child_exit(pid_t pid, int wait_status) override { launchers_.on_child_exit(pid, wait_status); }
  Milliseconds next_deadline() const override;
  void check_deadlines() override;
  void on_descendant_joined(unsigned) override {}  // its agent observes it
  void forward_signal(int number) override;
  void on_peer_lost(unsigned rank, unsigned peer) override;
  void await_report() override { agents_.send_to_all(MessageType::kAwaitReport); }
  bool awaits_exit(unsigned, Milliseconds) override { return false; }  // its agent waits for that
  Milliseconds end_programs() override;
  Milliseconds terminate_launchers() override { return launchers_.terminate(); }
  void close_links() override;
  bool finished() override;
  void report_launchers() override { launchers_.report(); }
  std::vector<ProcessId> without_monitor() const override { return launchers_.without_monitor(); }

 private:
  // The output of a process.
  struct Streams {
    std::size_t number[2] = {};
    int uncredited = 0;  // bytes received for which no credit was returned
  };

  void on_agent(unsigned first, unsigned count) override;
  void on_rejected_agent(const Hello& hello, const std::string& why) override;
  void on_rejected_connection(const std::string& what) override;
  void on_message(unsigned rank, const Message& message) override;
  void on_agent_lost(unsigned rank) override;

  void check_duplicate_host(unsigned first);
  void on_started(unsigned rank, const Message& message);
  void on_host(unsigned first, unsigned count, const std::string& name);
  std::string host_of(unsigned rank) const;
  void on_arrived(unsigned first, const Message& message);
  void on_output(unsigned rank, int stream, std::string_view bytes);
  void release_agents();

  const Plan& plan_;
  Output& output_;
  Control& control_;
  Processes& processes_;
  Supervisor& supervisor_;
  const AgentLaunch launch_;
  Rendezvous rendezvous_;
  Agents agents_;
  std::string launch_spec_;                        // for the agents, formatted
  std::map<std::string, std::string> host_names_;  // by a host's own name: the user's name for it
  AgentLaunchers launchers_;
  StandardInput input_;
  std::vector<Streams> streams_;      // by rank
  bool released_ = false;             // the agents have been told that all processes have ended
  std::size_t polled_launchers_ = 0;  // of collect()'s entries
  bool polled_input_ = false;
};

}  // namespace upcrun

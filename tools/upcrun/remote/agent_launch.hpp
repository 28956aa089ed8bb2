// SPDX-License-Identifier: BSD-3-Clause
// How the agents of a job are started: by one mpirun for all of them, or by a remote shell on each host.
// Worked out from the plan; nothing here starts anything.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tools/upcrun/launch/launch_commands.hpp"
#include "tools/upcrun/launch/mpirun.hpp"
#include "tools/upcrun/plan/plan.hpp"
#include "tools/upcrun/protocol/hello.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/remote/host_command.hpp"
#include "tools/upcrun/remote/tree.hpp"

namespace upcrun {

class AgentLaunch {
 public:
  // For a plan whose processes have agents, which must outlive this object. Throws Failure when mpirun, ssh
  // or upcrun itself cannot be found.
  explicit AgentLaunch(const Plan& plan);

  // The number of processes of each agent or relay that upcrun starts, in the order of their ranks.
  std::vector<unsigned> shares() const;
  // What the one that serves the rank `first` and those after it is responsible for; no hosts: mpirun has
  // started it.
  Subtree subtree(unsigned first) const;
  // The user's name of the host of this rank; empty: not known.
  std::string host_name(unsigned rank) const;
  // Whether the agents can connect over the loopback interface.
  bool loopback_only() const;
  // The conduit: the user's choice, or the one that follows from the hosts; empty: the processes choose.
  std::string conduit() const;
  // Where the processes will run, and what starts them; for -v.
  std::string describe() const;
  // The commands that start agents, which connect to `rendezvous`.
  std::vector<LaunchCommand> commands(const Rendezvous& rendezvous) const;

 private:
  bool in_allocation() const;
  LaunchCommand mpirun_launch(const std::string& rendezvous) const;
  std::vector<LaunchCommand> remote_shell_launches(const std::string& rendezvous) const;

  const Plan& plan_;
  const std::string self_;        // the path of upcrun
  std::optional<Mpirun> mpirun_;  // nothing: remote shells start the agents
  std::optional<HostCommand> remote_shell_;
  std::vector<Host> hosts_;  // empty: the batch system names them to mpirun
  unsigned fanout_ = kFanout;
  std::vector<std::vector<Host>> parts_;  // that upcrun's own children serve; empty: mpirun
};

// The specification of what the agents start. Throws Failure.
LaunchSpec make_launch_spec(const Plan& plan, const std::string& job_id, bool merged_output);

// The path of this program. Throws Failure.
std::string path_of_upcrun();

// The commands that start an agent or a relay on the first host of each part, for its ranks, the first of
// which is `first`.
std::vector<LaunchCommand> agent_commands(const std::vector<std::vector<Host>>& parts, unsigned first,
                                          const HostCommand& remote_shell, const std::string& rendezvous);

// New credentials, and the addresses at which agents reach this host; the port is still to be filled in.
// Throws Failure when the host has no suitable address.
Rendezvous make_rendezvous(bool loopback_only);
// The same on the host of a relay.
Rendezvous make_relay_rendezvous();

}  // namespace upcrun

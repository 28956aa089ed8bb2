// SPDX-License-Identifier: BSD-3-Clause
// The command that starts the agent of a host: through ssh or another remote shell, or directly when the host
// is this one. The secret is not part of the command, which ps shows: the agent reads it from its standard
// input, or where none reaches it from a file of the user's.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/plan/allocation.hpp"

namespace upcrun {

class HostCommand {
 public:
  // `rsh`: the value of --rsh, a command for a shell; empty: what the batch system of `allocation` has for
  // it, or ssh. `self`: the path of this program, which UPCRUN_AGENT replaces on other hosts. Throws Failure.
  HostCommand(const std::string& rsh, const Allocation& allocation, const std::string& self);

  const std::string& name() const noexcept { return name_; }  // "ssh"
  // `where`: the agent's argument (hello.hpp).
  std::vector<std::string> command(const std::string& host, const std::string& where) const;
  // Whether the command's standard input reaches the agent on this host.
  bool passes_input(const std::string& host) const;
  // Explains an exit of the command with this status before the agent has connected: cause and cure.
  std::string explain(const std::string& host, int status) const;

 private:
  bool use_batch_system(const Allocation& allocation);
  bool is_ssh() const noexcept { return name_ == "ssh"; }  // also with options in --rsh

  const std::string self_;
  std::string name_, remote_path_;  // remote_path_: upcrun's path on other hosts
  const std::string rsh_;
  std::vector<std::string> prefix_;  // arguments in front of the host's name
  bool by_shell_ = true;             // a shell of the host reads the command
  bool passes_input_ = true;
};

}  // namespace upcrun

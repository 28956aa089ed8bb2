// SPDX-License-Identifier: BSD-3-Clause
// How an agent gets to a host: by ssh or what stands for it, or directly when the host is this one. No secret
// is among the words, which ps shows; the agent reads it from its standard input.
#pragma once
#include <string>
#include <vector>

namespace upcrun {

class HostCommand {
 public:
  // `rsh`: of --rsh, as a shell takes it; empty: ssh. `self`: the path of this program; on other hosts
  // UPCRUN_AGENT may name another one. Throws Failure.
  HostCommand(const std::string& rsh, const std::string& self);

  const std::string& name() const noexcept { return name_; }  // "ssh"
  std::vector<std::string> words(const std::string& host) const;
  // What it means that the command for this host ended with this status before an agent came, and the cure.
  std::string explain(const std::string& host, int status) const;

 private:
  bool is_ssh() const noexcept { return name_ == "ssh"; }  // the user's own call of it, too

  const std::string self_;
  std::string name_, there_;  // there_: upcrun's path on other hosts
  const std::string rsh_;
  std::vector<std::string> reaching_;  // in front of the host
};

}  // namespace upcrun

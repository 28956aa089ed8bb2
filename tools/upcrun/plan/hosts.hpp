// SPDX-License-Identifier: BSD-3-Clause
// The hosts of a job, as -H and --hostfile say, and how many processes each one gets.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/plan/options.hpp"

namespace upcrun {

struct Host {
  std::string name;
  unsigned slots = 0;  // most processes; 0: not said

  bool operator==(const Host&) const = default;
};

// "a,b:2,[fd00::3]:4": names or addresses; a host that occurs again adds to its first place. Throws Failure.
std::vector<Host> parse_host_list(const std::string& text);
// Lines "name [slots=N]", blank ones, and comments from # on. Throws Failure, with file and line.
std::vector<Host> read_hostfile(const std::string& path);

// Deals `processes` to the hosts in their order, so that the ranks of each are consecutive: up to its slots
// to each; where nobody has said slots, equal shares. What gets none is left out; `slots` of the result is
// what a host got. Throws Failure when there are too few slots.
std::vector<Host> deal(std::vector<Host> hosts, unsigned processes);

// Those that the options name, dealt; none when they name none. Throws Failure.
std::vector<Host> named_hosts(const Options& options, unsigned processes);
// Whether this name or address is this host's.
bool is_this_host(const std::string& name);
// Whether all processes are going to be on this host.
bool all_here(const std::vector<Host>& hosts);

}  // namespace upcrun

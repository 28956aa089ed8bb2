// SPDX-License-Identifier: BSD-3-Clause
// The hosts of a job, as -H and --hostfile name them, and the number of processes on each.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/plan/host.hpp"
#include "tools/upcrun/plan/options.hpp"

namespace upcrun {

// Parses "a,b:2,[fd00::3]:4": names or addresses. A host that occurs again adds slots to its first entry.
// Throws Failure, which names `source`.
std::vector<Host> parse_host_list(const std::string& text, const std::string& source = "-H");
// Reads lines "name [slots=N]", blank lines, and comments, which begin with #. Throws Failure, with file and
// line, or with `source` and file.
std::vector<Host> read_hostfile(const std::string& path, const std::string& source = "--hostfile");

// Distributes `processes` to the hosts in their order, so that the ranks of each host are consecutive: to
// each up to its slots, or equal shares when no slots are given. The result has only hosts that get
// processes, and `slots` is their number. Throws Failure when there are too few slots.
std::vector<Host> deal(std::vector<Host> hosts, unsigned processes);

// The hosts that the options name, with `processes` distributed to them; none when the options name none.
// Throws Failure.
std::vector<Host> named_hosts(const Options& options, unsigned processes);
// The same for those of the batch system's allocation. Where they have fewer slots than processes all get
// equal shares. None where there is no allocation, where it names no hosts, or where the job stays on this
// host.
std::vector<Host> allocated_hosts(const Options& options, unsigned processes);
// Whether this is a name or an address of this host.
bool is_this_host(const std::string& name);
// Whether there are hosts, and all of them are this host.
bool all_on_this_host(const std::vector<Host>& hosts);

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// Which hosts are connected to mpirun. Its daemons connect to it as soon as they run, and it says to nobody
// which of them it misses; upcrun says so when it gives up a start.
#pragma once
#include <string>
#include <vector>

namespace upcrun {

// The addresses from which TCP connections lead to ports on which a descendant of this process listens.
std::vector<std::string> connected_peers();

// Whether one of this name's addresses is among `peers`. May ask the name service.
bool connected_from(const std::string& host, const std::vector<std::string>& peers);

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// The bootstrap's exchanges in the start of a job over conduit ibv, by upcrun's tree of relays and agents:
// the launcher's own code splits the hosts, collects the contributions and says how large frames are; the
// network between the places of the tree is modelled.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/scale/model.hpp"
#include "conduits/core/base/system/status.hpp"
#include "conduits/net/ibv/connector/published.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr::scale {

struct StartUp {
  unsigned hosts = 0, levels = 0;         // levels of relays and agents below upcrun
  std::uint64_t messages = 0, bytes = 0;  // of all
  std::uint64_t most_messages = 0,
                most_bytes = 0;  // sent and received by the busiest of upcrun, relays, agents
  std::uint64_t host_bytes = 0;  // of memory of one host, for tables that its processes keep
  Nanos time = 0;
  bool right = false;  // every host got what all ranks had contributed
};

inline constexpr unsigned kRanksPerHost = 16;

StartUp simulate_start(const Model& model, Rank ranks, unsigned fanout);

// A table whose size grows with the number of ranks, by the type that it consists of.
struct SharedTable {
  const char* what;
  std::size_t bytes;  // of each rank
};

// What the bootstrap has gathered and every process keeps: one copy for each host (Table), where upcrun has
// started the job.
inline constexpr SharedTable kSharedTables[] = {
    {"ports of each process, conduit ibv (`Directory`)", sizeof(ibv::Published)},
    {"properties of each process (`Runtime::processes`)", sizeof(ProcessInfo)},
    {"addresses of segments (`SegmentMap::remote`)", sizeof(std::uint64_t)},
    {"keys of segments, conduit ibv with one device (`Memory`)", sizeof(std::uint32_t)},
};

// Markdown tables of the bytes of each host and of each process, with these numbers of ranks.
std::string tables_of_memory();

}  // namespace upcr::scale

// SPDX-License-Identifier: BSD-3-Clause
// Which processes measure for all others, and what all must agree on before. Part of attach(); main thread,
// collective.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <string>

#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr::mpi {

// Two processes that do not share memory: the origin of the measured transfers, and their target.
struct Pair {
  Rank origin = 0, target = 0;
  bool exists() const noexcept { return origin != target; }
  bool has(Rank r) const noexcept { return exists() && (r == origin || r == target); }
};

enum class Policy : std::uint64_t { kAuto, kYes, kNo };

struct Capabilities {
  Policy policy;   // UPCR_MPI_RMA
  Pair near, far;  // on one host, on two; MPI may use different networks for them
  bool may_pin;    // a network may pin all segment memory of every process
  const Pair& slower() const noexcept { return far.exists() ? far : near; }
};

// Settings that must be the same on all processes.
struct Settings {
  std::string policy;
  std::uint64_t piece;  // bytes
};

// The same on all processes. Different settings end the job.
Capabilities find_capabilities(MPI_Comm comm, const Topology& topology, const SegmentMap& segments,
                               const Settings& settings);

}  // namespace upcr::mpi

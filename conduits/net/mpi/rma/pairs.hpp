// SPDX-License-Identifier: BSD-3-Clause
// Which processes try MPI's ways for all others, and what all must agree on before. Part of attach(), main
// thread, collective.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <string>

#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr::mpi {

// Two processes that do not share memory; the origin tries, the target is what it tries.
struct Pair {
  Rank origin = 0, target = 0;
  bool exists() const noexcept { return origin != target; }
  bool has(Rank r) const noexcept { return exists() && (r == origin || r == target); }
};

enum class Policy : std::uint64_t { kAuto, kYes, kNo };

struct Capabilities {
  Policy policy;   // UPCR_MPI_RMA
  Pair near, far;  // on one machine, on two; MPI may use another network for each
  bool may_pin;    // every process has so little segment memory that a network may pin all of it
  const Pair& slower() const noexcept { return far.exists() ? far : near; }
};

// What must be the same on all processes.
struct Settings {
  std::string policy;
  std::uint64_t piece;  // bytes
};

// The same on all processes; ends the job when the settings are not.
Capabilities find_capabilities(MPI_Comm comm, const Topology& topology, const SegmentMap& segments,
                               const Settings& settings);

}  // namespace upcr::mpi

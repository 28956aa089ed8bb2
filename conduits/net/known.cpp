// SPDX-License-Identifier: BSD-3-Clause
// The table of the project's conduits. See known_conduits.hpp.
#include "conduits/core/transport/known_conduits.hpp"

#include "conduits/core/bootstrap/launcher/mpi_library.hpp"
#include "conduits/net/neighbours/neighbours.hpp"
#include "conduits/net/smp/smp.hpp"
#if defined(UPCR_DEBUG) && UPCR_DEBUG
#  include "conduits/net/fault/fault.hpp"
#endif

namespace upcr {
namespace {

constexpr KnownConduit kConduits[] = {
    {"smp", "one host, shared memory", DefaultFor::kOneHost, make_smp_conduit},
    // A module for each MPI library; mpi_library.hpp decides which.
    {"mpi", "several hosts, over Open MPI", DefaultFor::kElse, nullptr, "mpi_openmpi", load_mpi_module},
    {"mpi", "several hosts, over MPICH", DefaultFor::kElse, nullptr, "mpi_mpich", load_mpi_module},
    {"ibv", "several hosts, InfiniBand, RoCE and iWARP", DefaultFor::kSeveralHosts},
    {"ofi", "several hosts, over libfabric: TCP, and networks without verbs", DefaultFor::kSeveralHosts},
};

}  // namespace

std::span<const KnownConduit> known_conduits() { return kConduits; }

// Messages between neighbours go through rings. The debug library can make any conduit misbehave
// (UPCR_FAULT), these messages included.
std::unique_ptr<Conduit> wrap_conduit(std::unique_ptr<Conduit> conduit) {
  conduit = with_rings_to_neighbours(std::move(conduit));
#if defined(UPCR_DEBUG) && UPCR_DEBUG
  return wrap_in_configured_faults(std::move(conduit));
#else
  return conduit;
#endif
}

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/rma/pairs.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {
namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};
// Pinning populates memory, at about 0.3 s a GiB: an untouched heap would cost as much as a full one.
constexpr std::uint64_t kMaxPinned = std::uint64_t{1} << 30;

std::uint64_t key_of(Rank origin, Rank target) { return std::uint64_t{origin} << 32 | target; }

Pair pair_of(std::uint64_t key) {
  return key == kNone ? Pair{} : Pair{static_cast<Rank>(key >> 32), static_cast<Rank>(key)};
}

bool is_small_enough(const Topology& t, const SegmentMap& segments) {
  rlimit limit{};
  std::uint64_t most = kMaxPinned;
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) == 0) most = std::min<std::uint64_t>(most, limit.rlim_cur);
  return segments.bytes <= most / std::max<Slot>(1, t.my_slots());
}

}  // namespace

Capabilities find_capabilities(MPI_Comm comm, const Topology& t, const SegmentMap& segments,
                               const Settings& settings) {
  const std::string& policy = settings.policy;
  const auto my_policy = static_cast<std::uint64_t>(policy == "yes"  ? Policy::kYes
                                                    : policy == "no" ? Policy::kNo
                                                                     : Policy::kAuto);
  std::vector<Rank> host_of(t.size);
  check(MPI_Allgather(&t.host_name, 1, MPI_UINT32_T, host_of.data(), 1, MPI_UINT32_T, comm), "MPI_Allgather");
  // Minima over all processes: the lowest rank that has a partner is the origin.
  enum { kNear, kFar, kMayPin, kMinPolicy, kMaxPolicy, kMinPiece, kMaxPiece, kFields };
  std::uint64_t mine[kFields] = {kNone,          kNone,      is_small_enough(t, segments) ? 1u : 0u,
                                 my_policy,      ~my_policy, settings.piece,
                                 ~settings.piece};
  for (Rank r = 0; r < t.size; ++r) {
    if (t.in_window_group(r)) continue;
    const bool near = t.on_my_machine(r) || host_of[r] == t.host_name;
    mine[near ? kNear : kFar] = key_of(t.rank, r);
  }
  std::uint64_t all[kFields];
  check(MPI_Allreduce(mine, all, kFields, MPI_UINT64_T, MPI_MIN, comm), "MPI_Allreduce");
  if (all[kMinPolicy] != ~all[kMaxPolicy] || all[kMinPiece] != ~all[kMaxPiece])
    fatal_setting(
        "rank %u has UPCR_MPI_RMA=%s and UPCR_MPI_PIECE=%llu, other ranks have other values; give all ranks the "
        "same environment (mpirun -x NAME, or start the job with upcrun)",
        t.rank, policy.c_str(), static_cast<unsigned long long>(settings.piece));
  return {static_cast<Policy>(my_policy), pair_of(all[kNear]), pair_of(all[kFar]), all[kMayPin] != 0};
}

}  // namespace upcr::mpi

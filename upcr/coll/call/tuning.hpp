// SPDX-License-Identifier: BSD-3-Clause
// The algorithm that a collective uses. Each team has a table, initially from the environment; a tuning file
// (tuning_file.cpp) replaces it. UPC threads.
//
// The algorithms are those of MPI libraries: Thakur, Rabenseifner, Gropp: Optimization of Collective
// Communication Operations in MPICH (IJHPCA 2005).
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr::coll {

enum class Collective : std::uint32_t { kBroadcast, kScatter, kGather, kGatherAll, kExchange, kCount };
enum class Algorithm : std::uint32_t {
  kAuto,
  kFlat,      // each member reads from, or writes to, the memory of the others directly
  kBinomial,  // binomial tree
  kKnomial,   // k-nomial tree of radix Tuning::radix
  kRing,      // each member communicates with its neighbours; broadcast: a pipelined chain
  kDoubling,  // Bruck's algorithms: log2(n) rounds with members at distances 1, 2, 4, ...
  kPairwise,  // pairwise exchange: one partner after the other
  kCount
};
inline constexpr auto kCollectives = static_cast<std::size_t>(Collective::kCount);

struct Tuning {
  Algorithm algorithm[kCollectives] = {};
  std::uint32_t radix = 4;
  std::uint32_t flat_threads = 16;  // kAuto: kFlat for teams of at most so many members
  std::uint64_t small = 2048;  // kAuto: blocks of at most so many bytes use the algorithm with fewer messages
};

// From the environment.
const Tuning& default_tuning();
const char* name_of(Collective what);
const char* name_of(Algorithm algorithm);
// False: that collective has no such algorithm.
bool can_use(Collective what, Algorithm algorithm);

// `waits`: the call waits for all threads in any case (IN_ALLSYNC). Calls with weaker flags must not depend
// on threads that only forward data, so kAuto is flat for them.
Algorithm choose(const Tuning& tuning, Collective what, std::size_t members, std::size_t nbytes, bool waits);

}  // namespace upcr::coll

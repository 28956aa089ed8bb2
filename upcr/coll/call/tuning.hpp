// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm a collective uses. Each team has a table, at first what the environment says; a tuning file
// (tuning_file.cpp) replaces it. UPC threads.
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr::coll {

enum class Collective : std::uint32_t { kBroadcast, kScatter, kGather, kGatherAll, kExchange, kCount };
enum class Algorithm : std::uint32_t {
  kAuto,
  kFlat,      // everybody reads from, or writes to, the memory concerned
  kBinomial,  // a tree of radix 2
  kKnomial,   // a tree of radix Tuning::radix
  kRing,      // neighbours; broadcast: a pipeline
  kDoubling,  // log2 rounds with partners at distances 1, 2, 4, ...
  kPairwise,  // one partner after the other
  kCount
};
inline constexpr auto kCollectives = static_cast<std::size_t>(Collective::kCount);

struct Tuning {
  Algorithm algorithm[kCollectives] = {};
  std::uint32_t radix = 4;
  std::uint32_t flat_threads = 16;  // kAuto: up to so many members flat
  std::uint64_t small = 2048;  // kAuto: bytes of a block up to which fewer messages count more than bytes
};

// The environment's.
const Tuning& default_tuning();
const char* name_of(Collective what);
const char* name_of(Algorithm algorithm);
// False: that collective has no such algorithm.
bool can_use(Collective what, Algorithm algorithm);

// `waits`: the call waits for all threads anyway (IN_ALLSYNC); weaker ones must not depend on threads that
// only pass data on, so they are flat where nothing else is asked for by name.
Algorithm choose(const Tuning& tuning, Collective what, std::size_t members, std::size_t nbytes, bool waits);

}  // namespace upcr::coll

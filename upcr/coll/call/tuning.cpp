// SPDX-License-Identifier: BSD-3-Clause
// The choice of algorithms, and the environment variables for it. See tuning.hpp.
#include "upcr/coll/call/tuning.hpp"

#include <cstring>

#include "conduits/core/base/config/config.hpp"

namespace upcr::coll {
namespace {

const ConfigVar kVars[] = {
    {"UPCR_COLL_BROADCAST", ConfigType::kChoice, "auto", "algorithm of upc_all_broadcast",
     "auto|flat|binomial|knomial|ring"},
    {"UPCR_COLL_SCATTER", ConfigType::kChoice, "auto", "algorithm of upc_all_scatter",
     "auto|flat|binomial|knomial"},
    {"UPCR_COLL_GATHER", ConfigType::kChoice, "auto", "algorithm of upc_all_gather",
     "auto|flat|binomial|knomial"},
    {"UPCR_COLL_GATHER_ALL", ConfigType::kChoice, "auto", "algorithm of upc_all_gather_all",
     "auto|flat|doubling|ring"},
    {"UPCR_COLL_EXCHANGE", ConfigType::kChoice, "auto", "algorithm of upc_all_exchange",
     "auto|flat|doubling|pairwise"},
    {"UPCR_COLL_RADIX", ConfigType::kInt, "4",
     "radix of k-nomial trees: a node has radix - 1 children in each level", "2..1024"},
    {"UPCR_COLL_FLAT_THREADS", ConfigType::kInt, "16",
     "auto: collectives of at most so many threads are flat: no thread forwards data", "1.."},
    {"UPCR_COLL_SMALL", ConfigType::kSize, "2KB",
     "auto: blocks up to this size use the algorithm with few messages, larger ones that with few bytes"},
};
ConfigTable table("collectives", kVars);

const char* const kNames[] = {"auto", "flat", "binomial", "knomial", "ring", "doubling", "pairwise"};
static_assert(sizeof kNames / sizeof kNames[0] == static_cast<std::size_t>(Algorithm::kCount));
const char* const kCollectiveNames[] = {"broadcast", "scatter", "gather", "gather_all", "exchange"};
static_assert(sizeof kCollectiveNames / sizeof kCollectiveNames[0] == kCollectives);

Algorithm from_text(const char* text) {
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(Algorithm::kCount); ++i)
    if (std::strcmp(text, kNames[i]) == 0) return Algorithm{i};
  return Algorithm::kAuto;
}

Tuning read_environment() {
  Tuning t;
  for (std::size_t i = 0; i < kCollectives; ++i) t.algorithm[i] = from_text(config_string(kVars[i].name));
  t.radix = static_cast<std::uint32_t>(config_int("UPCR_COLL_RADIX"));
  t.flat_threads = static_cast<std::uint32_t>(config_int("UPCR_COLL_FLAT_THREADS"));
  t.small = config_size("UPCR_COLL_SMALL");
  return t;
}

constexpr std::size_t kPipelined = 256 << 10;  // bytes above which a broadcast is a pipeline

}  // namespace

const Tuning& default_tuning() {
  static const Tuning tuning = read_environment();
  return tuning;
}

const char* name_of(Collective what) { return kCollectiveNames[static_cast<std::size_t>(what)]; }
const char* name_of(Algorithm algorithm) { return kNames[static_cast<std::size_t>(algorithm)]; }

bool can_use(Collective what, Algorithm algorithm) {
  using enum Algorithm;
  if (algorithm == kAuto || algorithm == kFlat) return true;
  switch (what) {
    case Collective::kBroadcast:
      return algorithm == kBinomial || algorithm == kKnomial || algorithm == kRing;
    case Collective::kScatter:
    case Collective::kGather:
      return algorithm == kBinomial || algorithm == kKnomial;
    case Collective::kGatherAll:
      return algorithm == kDoubling || algorithm == kRing;
    case Collective::kExchange:
      return algorithm == kDoubling || algorithm == kPairwise;
    case Collective::kCount:
      break;
  }
  return false;
}

Algorithm choose(const Tuning& t, Collective what, std::size_t members, std::size_t nbytes, bool waits) {
  using enum Algorithm;
  const Algorithm wanted = t.algorithm[static_cast<std::size_t>(what)];
  if (wanted != kAuto) return wanted;
  if (!waits || members <= t.flat_threads) return kFlat;
  const bool small = nbytes <= t.small;
  switch (what) {
    case Collective::kBroadcast:
      return nbytes <= kPipelined ? kKnomial : kRing;
    case Collective::kScatter:
    case Collective::kGather:
      return small ? kBinomial : kFlat;
    case Collective::kGatherAll:
      return small ? kDoubling : kRing;
    case Collective::kExchange:
      return small ? kDoubling : kPairwise;
    case Collective::kCount:
      break;
  }
  return kFlat;
}

}  // namespace upcr::coll

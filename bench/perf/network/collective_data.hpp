// SPDX-License-Identifier: BSD-3-Clause
// A program's accesses around a collective, so that the data is fresh as in real programs: before it every
// thread writes a word in each cache line of its own source, and after it reads a word of each line of its
// target. So it makes no difference whether the sender or the receiver moves data between caches. The test
// and its reference do the same, and the time counts in both.
#pragma once
#include "bench/perf/measure/interleave.hpp"
#include "bench/perf/network/cases.hpp"

namespace perf {

// Of the calling thread's source; `bytes` of or for each thread.
inline std::size_t source_bytes(const ThreadTeam& team, Collective collective, std::size_t bytes) {
  switch (collective) {
    case Collective::kBroadcast:
      return team.leads() ? bytes : 0;
    case Collective::kScatter:
      return team.leads() ? bytes * team.threads() : 0;
    case Collective::kExchange:
      return bytes * team.threads();
    default:
      return bytes;
  }
}

// Of the calling thread's target.
inline std::size_t target_bytes(const ThreadTeam& team, Collective collective, std::size_t bytes) {
  switch (collective) {
    case Collective::kGather:
      return team.leads() ? bytes * team.threads() : 0;
    case Collective::kGatherAll:
    case Collective::kExchange:
      return bytes * team.threads();
    case Collective::kReduce:
      return team.leads() ? sizeof(double) : 0;
    case Collective::kReduceAll:
      return sizeof(double);
    default:
      return bytes;
  }
}

constexpr std::size_t kLine = 64;

// Small whole numbers: they are all that reductions add up.
inline void write_lines(void* source, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kLine) {
    volatile double& word = *reinterpret_cast<volatile double*>(static_cast<char*>(source) + at);
    word = word == 1 ? 2 : 1;
  }
}

inline void read_lines(const void* target, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kLine)
    do_not_optimize(*reinterpret_cast<const volatile std::uint64_t*>(static_cast<const char*>(target) + at));
}

}  // namespace perf

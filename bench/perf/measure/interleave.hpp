// SPDX-License-Identifier: BSD-3-Clause
// How upcr_perf and gasnet_perf measure on a machine whose speed changes from second to second: short bursts
// in the order reference, test, reference. A triple whose two references differ by more than kTolerance says
// nothing and is dropped; the median of the ratios of the others is the result. While too few are steady it
// goes on, for a while. Collective.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bench/perf/measure/thread_team.hpp"

namespace perf {

// Does it n times and returns the nanoseconds that all of them took (thread 0's answer counts).
// Memory that only some rows need is allocated by their first burst; all threads destroy the bursts of a row
// together once it is measured, so shared memory may be freed collectively by what a burst holds.
using Burst = std::function<double(std::uint64_t n)>;

struct Case {
  std::string name, summary;
  Burst test;
  std::string reference_name;  // empty: there is none here
  Burst reference;
  std::size_t bytes = 0;     // of one transfer; 0: the name says what there is to say
  std::string why_not{};     // not empty: it cannot be measured here, and this is why
  std::uint64_t fewest = 1;  // operations of a burst, however long they take
};

struct Effort {
  unsigned triples = 25;  // up to kPatience times as many where the machine is not steady
  unsigned burst_us = 3000;
  // A case ends soon after that many seconds, with fewer triples if need be. Thread 0's counts.
  double seconds = std::numeric_limits<double>::infinity();
};

struct Result {
  std::string name, reference_name;
  std::size_t bytes = 0;
  double ns = 0, reference_ns = 0, ratio = 0;  // medians; of one operation
  double spread_ns = 0, ratio_spread = 0;      // between the quarters, of the tests' times and of the ratios
  unsigned kept = 0,
           triples = 0;   // of so many triples; kept == 0: none was steady, so all of them were taken
  std::string why_not{};  // not empty: nothing was measured
};

Result measure(const ThreadTeam& team, const Case& c, const Effort& effort);

// For bursts: nanoseconds of a steady clock.
double now_ns();
// For bursts: as if the value were used, so that the compiler computes it. By value: what has an address may
// end up in memory in every turn of a loop.
inline void keep(std::uint64_t value) { asm volatile("" : : "r"(value)); }
// What has been written must be in memory by now, and what is there may be another's by now.
inline void forget_memory() { asm volatile("" : : : "memory"); }

// n accesses, as loops over an array of 4 KiB: body(index of the word).
template <typename Body>
void walk_words(std::uint64_t n, Body&& body) {
  constexpr std::uint64_t kWords = 512;
  for (; n >= kWords; n -= kWords)
    for (std::uint64_t i = 0; i < kWords; ++i) body(i);
  for (std::uint64_t i = 0; i < n; ++i) body(i);
}

inline constexpr std::uint64_t kWarmUp = 16;  // operations of those bursts in which threads work together

// Thread 0 works, the others go on to the next barrier and serve it from there.
template <typename Work>
Burst alone(const ThreadTeam& team, Work work) {
  return [&team, work](std::uint64_t n) {
    if (!team.leads()) return 1.0;
    const double start = now_ns();
    work(n);
    return now_ns() - start;
  };
}

// All threads do `work` together, after `prepare` and a few for warming up; it takes until the last is done.
template <typename Prepare, typename Work>
Burst everybody(const ThreadTeam& team, Prepare prepare, Work work) {
  return [&team, prepare, work](std::uint64_t n) {
    prepare();
    for (std::uint64_t i = 0; i < kWarmUp; ++i) work();
    team.barrier();
    const double start = now_ns();
    for (std::uint64_t i = 0; i < n; ++i) work();
    team.barrier();
    return now_ns() - start;
  };
}

}  // namespace perf

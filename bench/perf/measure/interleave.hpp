// SPDX-License-Identifier: BSD-3-Clause
// The measurements of upcr_perf and gasnet_perf, for machines whose speed changes from second to second:
// short bursts in the order reference, test, reference. A triple whose two references differ by more than
// kTolerance is not steady and is dropped; the result is the median of the ratios of the others. While too
// few triples are steady more are measured, up to a limit. Collective.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bench/perf/measure/thread_team.hpp"

namespace perf {

// Performs the operation n times and returns the nanoseconds of all of them (thread 0's result counts).
// A burst may allocate the memory of its row when it is first called. All threads destroy the bursts of a row
// together once it is measured, so objects that a burst holds may free shared memory collectively.
using Burst = std::function<double(std::uint64_t n)>;

struct Case {
  std::string name, summary;
  Burst test;
  std::string reference_name;  // empty: no reference
  Burst reference;
  std::size_t bytes = 0;             // of one transfer; 0: not applicable
  std::string why_not{};             // not empty: the reason that it cannot be measured
  std::uint64_t min_operations = 1;  // of a burst, whatever their time
};

struct Effort {
  unsigned triples = 25;  // up to kMaxRepeats times as many while triples are not steady
  unsigned burst_us = 3000;
  // A case ends soon after that many seconds, if necessary with fewer triples. Thread 0's value counts.
  double seconds = std::numeric_limits<double>::infinity();
};

struct Result {
  std::string name, reference_name;
  std::size_t bytes = 0;
  double ns = 0, reference_ns = 0, ratio = 0;  // medians; of one operation
  double spread_ns = 0, ratio_spread = 0;      // interquartile ranges of the times and of the ratios
  unsigned kept = 0,
           triples = 0;   // the steady ones of all triples; kept == 0: none was steady, so all were used
  std::string why_not{};  // not empty: the reason that nothing was measured
};

Result measure(const ThreadTeam& team, const Case& c, const Effort& effort);

// For bursts: nanoseconds of a steady clock.
double now_ns();
// For bursts: makes the compiler compute the value. By value, because a variable whose address is taken may
// be kept in memory in every turn of a loop.
inline void do_not_optimize(std::uint64_t value) { asm volatile("" : : "r"(value)); }
// A compiler barrier: stores before it are done, and loads after it read memory again.
inline void clobber_memory() { asm volatile("" : : : "memory"); }

// A receiver's work on a payload that is in its place: it reads all of it, so that a time includes the
// transfer of its cache lines to the reader. In the messages of gasnet_perf and in their references alike.
inline void read_payload(const void* data, std::size_t bytes) {
  const char* const from = static_cast<const char*>(data);
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at + sizeof sum <= bytes; at += sizeof sum) {
    std::uint64_t word;
    std::memcpy(&word, from + at, sizeof word);
    sum += word;
  }
  asm volatile("" : : "r"(sum) : "memory");
}

// Calls body(index of the word) n times, in loops over an array of 4 KiB.
template <typename Body>
void walk_words(std::uint64_t n, Body&& body) {
  constexpr std::uint64_t kWords = 512;
  for (; n >= kWords; n -= kWords)
    for (std::uint64_t i = 0; i < kWords; ++i) body(i);
  for (std::uint64_t i = 0; i < n; ++i) body(i);
}

inline constexpr std::uint64_t kWarmUp = 16;  // operations before bursts in which several threads work

// Thread 0 does work(n); the other threads enter the next barrier and serve it from there.
template <typename Work>
Burst on_leader(const ThreadTeam& team, Work work) {
  return [&team, work](std::uint64_t n) {
    if (!team.leads()) return 1.0;
    const double start = now_ns();
    work(n);
    return now_ns() - start;
  };
}

// All threads do `work` n times, after `prepare` and a warm-up; the time ends when the last thread is done.
template <typename Prepare, typename Work>
Burst on_all_threads(const ThreadTeam& team, Prepare prepare, Work work) {
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

// SPDX-License-Identifier: BSD-3-Clause
// The tests of users: latencies with percentiles, bandwidths and message rates of windows of non-blocking
// operations, by several pairs of threads at once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/perf/measure/upcr_thread_team.hpp"

namespace perf::user {

// Thread i of the first half works with thread i of the second half (its number plus half of all).
struct Shape {
  unsigned pairs = 1;
  unsigned window = 64;        // operations that are in flight together
  bool bidirectional = false;  // both threads of a pair do it
  double seconds = 0.2;        // about, of each figure
};

struct Figure {
  std::string test;
  std::size_t size = 0;
  Shape shape;
  std::uint64_t operations = 0;  // that were measured
  // Latencies, in seconds, of all operations of all threads that measure. Operations that take less than the
  // clock can tell are timed in groups of `group`; then the percentiles are those of groups' means.
  unsigned group = 0;
  double average = 0, least = 0, p50 = 0, p90 = 0, p99 = 0, p999 = 0, most = 0;
  // Bandwidths: medians of several measurements, and their interquartile range.
  double bytes_per_second = 0, operations_per_second = 0, spread = 0;
};

struct Test {
  const char* name;
  const char* summary;
  bool latency;
  bool pairwise;      // else all threads take part, and pairs have no meaning
  std::size_t first;  // sizes of a run without any: first to last, or one without a size when last is 0
  std::size_t last;
};
// All of them; ends with a null name.
const std::vector<Test>& tests();

// Collective. Measures one figure; thread 0's is complete.
Figure measure(const UpcrThreadTeam& team, const Test& test, std::size_t size, const Shape& shape);

}  // namespace perf::user

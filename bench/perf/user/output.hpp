// SPDX-License-Identifier: BSD-3-Clause
// Results for people, in the form of the OSU micro-benchmarks, and as JSON that bench/report reads too.
#pragma once
#include <string>
#include <vector>

#include "bench/perf/user/loads.hpp"
#include "bench/perf/user/machine.hpp"

namespace perf::user {

struct Job {
  std::string version, conduit;
  unsigned threads = 1, processes = 1;
  bool mapped = false;  // the partner's memory is mapped
};

// The head: the machine, the job, and a warning where the machine is busy.
void print_head(const Machine& machine, const Job& job);
// What precedes the figures of a test and a shape; and a figure.
void print_title(const Test& test, const Shape& shape, const Job& job);
void print(const Test& test, const Figure& figure);
// False: errno says why.
bool write_json(const std::string& file, const Machine& machine, const Job& job,
                const std::vector<Figure>& figures);

}  // namespace perf::user

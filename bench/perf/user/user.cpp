// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/user/user.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "bench/perf/measure/job_facts.hpp"
#include "bench/perf/user/output.hpp"
#include "upcr/config.h"

namespace perf::user {
namespace {

const Test* find_test(const std::string& name) {
  for (const Test& test : tests())
    if (name == test.name) return &test;
  return nullptr;
}

std::vector<std::size_t> sizes_of(const Test& test, const Request& request) {
  if (test.last == 0 || test.first == test.last) return {test.last};
  if (!request.sizes.empty()) return request.sizes;
  std::vector<std::size_t> sizes;
  for (std::size_t size = test.first; size <= test.last; size *= 2) sizes.push_back(size);
  return sizes;
}

// The shapes in which a test is measured: it may not know pairs or windows.
std::vector<Shape> shapes_of(const Test& test, const Command& command, unsigned most_pairs) {
  std::vector<Shape> shapes;
  for (const unsigned pairs : command.pairs)
    for (const unsigned window : command.windows) {
      const Shape shape{pairs == 0 ? most_pairs : pairs, window, command.bidirectional, command.seconds};
      if (shapes.empty() || (test.pairwise && (shape.pairs != shapes.back().pairs || !test.latency)))
        shapes.push_back(shape);
    }
  return shapes;
}

// The problem of a size or of a number of pairs in this job; empty: there is none.
std::string problem_of(const Command& command, unsigned threads) {
  const unsigned most = std::max(threads / 2, 1u);
  for (const unsigned pairs : command.pairs)
    if (pairs > most)
      return "--pairs " + std::to_string(pairs) + ": the job has " + std::to_string(threads) +
             " threads, enough for " + std::to_string(most) + "; start more (upcrun -n " +
             std::to_string(2 * pairs) + ")";
  for (const Request& request : command.requests)
    for (const std::size_t size : sizes_of(*find_test(request.test), request))
      if (size > heap_bytes() / 2)
        return request.test + " of " + std::to_string(size) + " bytes does not fit in the shared heap of " +
               std::to_string(heap_bytes()) + " bytes a thread; raise UPC_SHARED_HEAP_SIZE";
  return {};
}

}  // namespace

int run(const UpcrThreadTeam& team, const Command& command) {
  if (const std::string problem = problem_of(command, team.threads()); !problem.empty()) {
    if (team.leads()) std::fprintf(stderr, "upcr_perf: %s\n", problem.c_str());
    return 2;
  }
  const Job job{"upcr " UPCR_VERSION, conduit_name(), team.threads(), team.processes(),
                team.target_here() != nullptr};
  const Machine machine = this_machine();
  if (team.leads()) print_head(machine, job);
  std::vector<Figure> figures;
  for (const Request& request : command.requests) {
    const Test& test = *find_test(request.test);
    for (const Shape& shape : shapes_of(test, command, std::max(team.threads() / 2, 1u))) {
      if (team.leads()) print_title(test, shape, job);
      for (const std::size_t size : sizes_of(test, request)) {
        const Figure figure = measure(team, test, size, shape);
        if (!team.leads()) continue;
        print(test, figure);
        figures.push_back(figure);
      }
    }
  }
  if (!team.leads() || command.json_file.empty()) return 0;
  if (write_json(command.json_file, machine, job, figures)) return 0;
  std::fprintf(stderr, "upcr_perf: cannot write %s: %s\n", command.json_file.c_str(), std::strerror(errno));
  return 1;
}

}  // namespace perf::user

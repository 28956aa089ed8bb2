// SPDX-License-Identifier: BSD-3-Clause
// The common part of upcr_perf and gasnet_perf: command line, measuring, report.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/perf/measure/interleave.hpp"

namespace perf {

struct Options {
  std::vector<std::string> selected;
  std::string json_file;
  bool list = false;
  unsigned threads = 1;  // of a process; GASNet only, UPC threads are the launcher's choice
  Effort effort;
};

// The differences between the programs.
struct Program {
  const char* name;
  const char* summary;
  bool chooses_threads = false;  // has the option --threads
};

// Every process parses the same arguments; errors and help are printed where `prints`. Without a value the
// program ends with *status.
std::optional<Options> parse(const Program& program, bool prints, int argc, char** argv, int* status);

// The properties of the job that records contain.
struct JobFacts {
  std::string headline;  // the runtime and its version
  const char* conduit;
};

// Collective. Lists or measures the selected cases, and returns the exit status. The bursts of a case are
// destroyed when it has been measured.
int run_cases(const Program& program, const JobFacts& job, const ThreadTeam& team, const Options& options,
              std::vector<Case>& cases);

}  // namespace perf

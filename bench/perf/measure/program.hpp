// SPDX-License-Identifier: BSD-3-Clause
// What upcr_perf and gasnet_perf do with their rows: the words of the command line, measuring, the report.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/perf/measure/interleave.hpp"

namespace perf {

struct Options {
  std::vector<std::string> wanted;
  std::string json_file;
  bool list = false;
  unsigned threads = 1;  // of a process; not of UPC, whose launcher says it
  Effort effort;
};

// What differs between the programs.
struct Program {
  const char* name;
  const char* summary;
  bool chooses_threads = false;  // has the option --threads
};

// Every process parses the same words; where `speaks`, errors and help are printed. No value: the program is
// to end with *status.
std::optional<Options> parse(const Program& program, bool speaks, int argc, char** argv, int* status);

// What a record says of the job.
struct JobFacts {
  std::string headline;  // what runs, of which version
  const char* conduit;
};

// Collective: lists or measures what the options want of the cases. The status to end with. What the bursts
// of a case hold is given back when it has been measured.
int run_cases(const Program& program, const JobFacts& job, const ThreadTeam& team, const Options& options,
              std::vector<Case>& cases);

}  // namespace perf

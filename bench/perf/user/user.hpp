// SPDX-License-Identifier: BSD-3-Clause
// upcr_perf TEST[:SIZES]... [OPTION]...: latencies, bandwidths and message rates for users of the library.
//   upcrun -n 2 upcr_perf put:8..4M
//   upcr_perf put_bw --threads 2,4,8 --conduits smp,mpi       (starts the jobs itself)
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/perf/user/loads.hpp"
#include "bench/perf/user/words.hpp"

namespace perf::user {

// Whether the command line is of this form, and not of upcr_perf's rows beside references.
bool is_asked(int argc, char** argv);

struct Command {
  std::vector<Request> requests;
  std::vector<unsigned> pairs{1};
  std::vector<unsigned> windows{64};
  bool bidirectional = false;
  double seconds = 0.2;
  std::string json_file;
  std::vector<unsigned> threads;      // jobs to start, with each number of threads
  std::vector<std::string> conduits;  // and over each of these conduits
  bool starts_jobs() const { return !threads.empty() || !conduits.empty(); }
};

// Errors and help are printed where `prints`. Without a value the program ends with *status.
std::optional<Command> parse(bool prints, int argc, char** argv, int* status);

// Runs this program by upcrun for each number of threads and each conduit. Returns the exit status.
int start_jobs(const Command& command, int argc, char** argv);
// Collective.
int run(const UpcrThreadTeam& team, const Command& command);

}  // namespace perf::user

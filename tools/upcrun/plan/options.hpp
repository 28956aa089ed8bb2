// SPDX-License-Identifier: BSD-3-Clause
// What the user asked for on the command line.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace upcrun {

enum class Bind { kAuto, kNone, kCore };

struct Options {
  unsigned threads = 0;              // UPC threads of the job
  unsigned pthreads = 0;             // per process; 0: not given
  std::string conduit, shared_heap;  // empty: not given
  std::optional<double> timeout;     // seconds
  bool label = false, verbose = false;
  Bind bind = Bind::kAuto;
  bool mupc = false;    // called as mupcrun
  bool gasnet = false;  // started by a name or variable that is for GASNet programs
  std::string argv0;    // what the program sees as its name; empty: as given
  std::string program;
  std::vector<std::string> arguments;  // of the program
  std::string hosts, hostfile, rsh;    // of a job on several hosts; empty: not given
  unsigned start_timeout = 60;         // seconds, for the agent of a host to come
  unsigned host_count = 0;             // gasnetrun's -N; 0: not given
  // Of an agent only (agent.hpp): how many processes its host has, 0 elsewhere, and which of them is the
  // first that it starts, counted on the host and in the job.
  unsigned host_processes = 0, host_rank = 0, first_rank = 0;
};

// The name that messages of wrong use begin with: mupcrun when called so, otherwise upcrun.
std::string command_name(const char* argv0);
// Throws Failure for wrong use. Returns nothing when help was asked for and has been printed.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace upcrun

// SPDX-License-Identifier: BSD-3-Clause
// The command line of upcrun.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tools/upcrun/binding/binding.hpp"
#include "tools/upcrun/plan/allocation.hpp"

namespace upcrun {

struct Options {
  unsigned threads = 0;              // UPC threads of the job; 0: not given
  unsigned pthreads = 0;             // per process; 0: not given
  std::string conduit, shared_heap;  // empty: not given
  std::string output;                // the folder for a file of each process; empty: upcrun's own output
  std::string trace;                 // --trace: a value of UPCR_TRACE; empty: not given
  std::string stats;                 // --stats: a value of UPCR_STATS; empty: not given
  std::string stall_report;          // --stall-report: a value of UPCR_STALL_WARN; empty: not given
  std::optional<double> timeout;     // seconds
  bool label = false, verbose = false;
  bool dry_run = false;     // print the commands, start nothing
  bool info = false;        // print what is known of the program, start nothing
  bool local_only = false;  // all processes on this host
  Bind bind = Bind::kAuto;
  MapBy map_by = MapBy::kCore;
  unsigned cpus_per_process = 0;   // 0: not given
  std::string command = "upcrun";  // the name that upcrun was called by
  bool mupc = false;               // upcrun was called as mupcrun
  bool gasnet = false;             // upcrun was called by a name, or with a variable, for GASNet programs
  std::string argv0;               // the program's argv[0]; empty: as given
  std::string program;
  std::vector<std::string> arguments;  // of the program
  std::string hosts, hostfile, rsh;    // -H, --hostfile, --rsh; empty: not given
  // Where the names of hosts come from, for messages: an option or a variable.
  std::string hosts_from = "-H", hostfile_from = "--hostfile";
  Allocation allocation;  // in which upcrun runs; of no batch system in an agent
  bool spreads_over_allocation =
      false;                      // the user has chosen no conduit, and the processes get several hosts
  unsigned start_timeout = 60;    // seconds in which the agent of a host must connect
  unsigned host_count = 0;        // -N: the number of hosts to use; 0: not given
  unsigned threads_per_host = 0;  // -c; 0: not given
  unsigned host_slots = 0;        // the processes that these are; of Plan
  // In an agent only (agent.hpp), else 0: the number of processes on its host, and the first process that it
  // starts, counted on the host and in the job.
  unsigned host_processes = 0, host_rank = 0, first_rank = 0;
  bool serves_host = true;  // all processes of the job on this host are started by this process
};

// The name for messages about wrong use: mupcrun or gasnetrun_CONDUIT when upcrun was called so, otherwise
// upcrun.
std::string command_name(const char* argv0);
// The message where the number of UPC threads, or of nodes, is missing.
std::string missing_threads(const Options& options);
// Throws Failure for wrong use. Returns nothing after --help or --version, which it has printed.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace upcrun

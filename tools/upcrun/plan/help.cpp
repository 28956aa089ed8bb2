// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/help.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace upcrun {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

constexpr const char* kFooter =
    "Everything after PROGRAM belongs to it. PROGRAM without a slash is searched in the current folder, then\n"
    "in PATH. Standard input reaches UPC thread 0.\n"
    "The hosts are those of -H or --hostfile, else those of the allocation of Slurm, PBS, LSF or SGE in which\n"
    "upcrun runs, else this one. In an allocation the number of processes is the allocation's where neither -n\n"
    "nor PROGRAM says it. Processes of conduit ibv are started by ssh, once for each host, or by srun, blaunch,\n"
    "qrsh or pbs_tmrsh in an allocation; those of conduit mpi by mpirun (of Open MPI or MPICH; UPCR_MPIRUN and\n"
    "UPCR_MPI_LIBRARY choose). They run in the current directory with\n"
    "the current environment. Every host needs upcr (in the same place, or where UPCRUN_AGENT says), and must\n"
    "be reachable without a password.\n"
    "The exit status is the program's; 128 + S when signal S killed a process; 124 after --timeout;\n"
    "74 when the output cannot be written; 125 when a host is lost; 2 for wrong use; 126 and 127 when PROGRAM\n"
    "cannot be run or is not found.\n";

constexpr const char* kBerkeley =
    "Options of Berkeley UPC's upcrun are understood (-shared-heap 512MB, -c 4 -N 2, -freeze, -q, ...), as are\n"
    "~/.upcrunrc (`default_options = ...`) and UPCRUN_FLAGS, before the command line: docs/reference/compatibility.md.";

constexpr const char* kGasnetrun =
    "Options of GASNet's launchers: -n, -N, -v as above; -c N is --cpus-per-process, -t is --dry-run; -E NAMES\n"
    "is accepted, and all variables are passed on; -spawner NAME and -k are accepted, as the conduit decides how\n"
    "processes are started, and no temporary files are written: docs/reference/compatibility.md.";

}  // namespace

std::string help_description(const Options& options) {
  if (options.mupc) return "Runs a program of MuPC on N UPC threads, each of which is a process.";
  if (options.gasnet) return "Runs a GASNet program on N nodes.";
  return "Runs a UPC program on N UPC threads, or a GASNet program on N nodes.";
}

std::string help_footer(const Options& options) {
  std::string text = kFooter;
  if (!options.mupc) text += options.gasnet ? kGasnetrun : kBerkeley;
  return in_words_of(options, text);
}

std::string in_words_of(const Options& options, std::string text) {
  replace_all(text, "upcrun runs", options.command + " runs");
  replace_all(text, "what upcrun ", "what " + options.command + " ");
  if (options.mupc) {
    replace_all(text, "; none for GASNET_PAR and PARSYNC", "");
    replace_all(text, "default: its UPC threads; of GASNET_PAR and PARSYNC OMP_NUM_THREADS", "default: one");
  }
  if (options.gasnet) {
    replace_all(text, "default: its UPC threads; of GASNET_PAR and PARSYNC OMP_NUM_THREADS",
                "default: one; of GASNET_PAR and PARSYNC OMP_NUM_THREADS");
    replace_all(text, "UPC thread", "node");
  }
  return text;
}

bool shown_in_help(const Options& options, const std::string& option) {
  const auto is_one_of = [&option](std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), option) != names.end();
  };
  // One UPC thread a process; a GASNet client chooses its segment itself, and is observed by GASNET_*FILE.
  if (options.mupc) return !is_one_of({"--pthreads", "--per-host"});
  if (options.gasnet) return !is_one_of({"--pthreads", "--per-host", "--shared-heap", "--stats", "--trace"});
  return true;
}

}  // namespace upcrun

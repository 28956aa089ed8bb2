// SPDX-License-Identifier: BSD-3-Clause
// How a process was started: by upcrun, by another launcher, or by hand. Before any other part of the library
// runs.
#include "conduits/core/bootstrap/launcher/make_bootstrap.hpp"

#include <cstdlib>
#include <string>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/bootstrap/launcher/launcher_slot.hpp"
#include "conduits/core/bootstrap/launcher/launchers.hpp"
#include "conduits/core/bootstrap/launcher/mpi_library.hpp"
#include "conduits/core/bootstrap/upcrun/bootstraps.hpp"
#include "include/upcr/types.h"

namespace upcr {
namespace {

// Read below, before configure(): the first two decide whether the process goes on at all.
constexpr ConfigVar kVars[] = {
    {"UPCR_THREADS", ConfigType::kInt, nullptr,
     "UPC threads of a program that is started without upcrun: it starts itself again under upcrun -n; "
     "also upcrun's default for -n",
     "1.."},
    {"UPCR_PTHREADS", ConfigType::kInt, nullptr,
     "UPC threads per process, as pthreads; upcrun's default for --pthreads; unset: the program's choice",
     "1..", "UPC_PTHREADS_PER_PROC"},
    {"UPCRUN", ConfigType::kCode, nullptr,
     "the upcrun that UPCR_THREADS needs; unset: the one beside the library, or else in PATH"},
    {"UPCR_MPIRUN", ConfigType::kCode, nullptr,
     "the mpirun of Open MPI or MPICH that upcrun starts jobs of conduit mpi with; unset: that of the "
     "program's library, or else the first one found"},
    {"UPCR_LAUNCH_IFACE", ConfigType::kString, nullptr,
     "interfaces or addresses of upcrun's host, separated by commas, on which the other hosts reach it; "
     "unset: "
     "all that it has"},
    {"UPCRUN_RSH", ConfigType::kCode, nullptr,
     "upcrun: the command that reaches other hosts, as --rsh; unset: ssh"},
    {"UPCRUN_AGENT", ConfigType::kCode, nullptr,
     "upcrun: the path of upcrun on the other hosts of a job that needs no mpirun; unset: the same as here"},
    {"UPCRUN_FANOUT", ConfigType::kInt, "32",
     "upcrun: hosts that one process starts agents on; where a job has more, the agents are started as a tree, "
     "from host to host",
     "1.."},
    {"UPCRUN_START_TIMEOUT", ConfigType::kInt, "60",
     "upcrun: seconds within which each host of a job has to answer, or under mpirun the next process",
     "1.."},
    {"UPCR_RANK", ConfigType::kString, nullptr, nullptr},  // upcrun tells wrapper scripts
    {"UPCR_LOCAL_RANK", ConfigType::kString, nullptr, nullptr},
    {"UPCR_SIZE", ConfigType::kString, nullptr, nullptr},
    {wire::kJobVariable, ConfigType::kString, nullptr, nullptr},
    {wire::kRelaunchVariable, ConfigType::kString, nullptr, nullptr},
    {wire::kLauncherSlotVariable, ConfigType::kString, nullptr, nullptr},
};
const ConfigTable table("start-up", kVars);

JobShape shape;

// The variable's value, or 0 when it is unset or empty. Fatal when it is no number of 1..limit.
unsigned count_from_environment(const char* name, unsigned limit) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return 0;
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value < 1 || value > limit)
    fatal("%s=%s: expected a number from 1 to %u", name, text, limit);
  return static_cast<unsigned>(value);
}

std::unique_ptr<Bootstrap> join(const char* text) {
  wire::JobVariable variable;
  if (!wire::JobVariable::parse(text, &variable))
    fatal(
        "%s=%s: not what this version's upcrun writes; start the program with the upcrun of the same "
        "installation, and do not set this variable by hand",
        wire::kJobVariable, text);
  shape = {variable.threads, variable.pthreads, true, true, true};
  auto bootstrap = make_fork_bootstrap(variable);
  // Programs that this one starts are not members of the job.
  unsetenv(wire::kJobVariable);
  mark_launcher_slot_used();
  return bootstrap;
}

// A job whose number of processes is the launcher's. Each of them finds the same contradictions. `mpi_found`:
// the program had initialised MPI.
void shape_for(const Bootstrap& bootstrap, unsigned threads, unsigned pthreads, bool mpi_found) {
  const Rank size = bootstrap.size();
  if (size == 1 && threads > 1 && pthreads == 0)
    fatal(
        "UPCR_THREADS=%u, but %s; start it with MPI's mpirun -n %u, or set UPCR_PTHREADS=%u if the program "
        "may run several UPC threads in a process",
        threads,
        mpi_found ? "the program has initialised MPI and is alone in it" : "the launcher started one process",
        threads, threads);
  shape.from_launcher = size > 1;
  shape.threads_given = threads != 0;
  shape.pthreads_given = pthreads != 0;
  shape.pthreads = pthreads != 0 ? pthreads : threads != 0 ? (threads + size - 1) / size : 1;
  shape.threads = threads != 0 ? threads : size * shape.pthreads;
  if (shape.processes() == size) return;
  if (pthreads != 0)
    fatal_on_rank0(
        bootstrap.rank(),
        "UPCR_THREADS=%u with UPCR_PTHREADS=%u needs %u processes, but the launcher started %u; start %u, "
        "or unset UPCR_THREADS",
        threads, pthreads, shape.processes(), size, shape.processes());
  fatal_on_rank0(
      bootstrap.rank(),
      "UPCR_THREADS=%u UPC threads cannot be distributed evenly to the %u processes that the launcher started; "
      "start another number of processes, or unset UPCR_THREADS",
      threads, size);
}

}  // namespace

const JobShape& job_shape() noexcept { return shape; }

std::unique_ptr<Bootstrap> make_bootstrap(int argc, char** argv, unsigned processes, const char* conduit) {
  if (const char* text = std::getenv(wire::kJobVariable)) return join(text);
  if (clear_used_launcher_slot()) configure();
  const unsigned threads =
      processes != 0 ? processes : count_from_environment("UPCR_THREADS", UPCR_MAX_THREADS);
  const char* const pthreads_name =
      std::getenv("UPCR_PTHREADS") != nullptr ? "UPCR_PTHREADS" : "UPC_PTHREADS_PER_PROC";
  const unsigned pthreads = processes != 0 ? 1 : count_from_environment(pthreads_name, UPCR_MAX_PTHREADS);
  const bool mpi_found = mpi_is_initialized();
  if (auto bootstrap = join_launcher_job()) {
    mark_launcher_slot_used();
    shape_for(*bootstrap, processes != 0 ? bootstrap->size() : threads, pthreads, mpi_found);
    return bootstrap;
  }
  if (threads > 1) relaunch(threads, pthreads, conduit, argv);
  shape.threads_given = threads != 0;
  shape.pthreads_given = pthreads != 0;
  shape.pthreads = pthreads != 0 ? pthreads : 1;
  shape.threads = threads != 0 ? threads : shape.pthreads;
  return make_singleton_bootstrap();
}

}  // namespace upcr

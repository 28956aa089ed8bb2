// SPDX-License-Identifier: BSD-3-Clause
// Finds out how this process was started. Once, on the main thread, before anything else of the library.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "conduits/base/config.hpp"
#include "conduits/base/report.hpp"
#include "conduits/bootstrap/launchers.hpp"
#include "conduits/bootstrap/ways.hpp"
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
     "1.."},
    {"UPCRUN", ConfigType::kString, nullptr,
     "the upcrun that UPCR_THREADS needs; unset: the one beside the library, or else in PATH"},
    {"UPCR_MPIRUN", ConfigType::kString, nullptr,
     "the mpirun of Open MPI or MPICH that upcrun starts jobs of conduit mpi with; unset: that of the "
     "program's library, or else the first one found"},
    {"UPCR_LAUNCH_IFACE", ConfigType::kString, nullptr,
     "interfaces or addresses of upcrun's host, separated by commas, on which the other hosts reach it; "
     "unset: "
     "all that it has"},
    {wire::kJobVariable, ConfigType::kString, nullptr, nullptr},
    {wire::kRelaunchVariable, ConfigType::kString, nullptr, nullptr},
    {wire::kPlaceVariable, ConfigType::kString, nullptr, nullptr},
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

// What tells the place that a launcher other than upcrun has made for this process from all others; empty
// when there is none.
std::string launchers_place() {
  std::string place;
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
                           "PMI_FD", "PMI_PORT", "SLURM_PROCID", "SLURM_JOB_ID", "SLURM_STEP_ID"})
    if (const char* value = std::getenv(name)) place += std::string(name) + "=" + value + ",";
  return place;
}

// A process of this place has joined a job, and this one was started by it.
bool place_is_taken() {
  const char* taken = std::getenv(wire::kPlaceVariable);
  return taken != nullptr && launchers_place() == taken;
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
  if (const std::string place = launchers_place(); !place.empty())
    setenv(wire::kPlaceVariable, place.c_str(), 1);
  return bootstrap;
}

// A job whose number of processes is the launcher's. Each of them finds the same contradictions.
void shape_for(const Bootstrap& bootstrap, unsigned threads, unsigned pthreads) {
  const Rank size = bootstrap.size();
  if (size == 1 && threads > 1 && pthreads == 0)
    fatal(
        "UPCR_THREADS=%u, but the program has initialised MPI and is alone in it; start it with MPI's mpirun "
        "-n "
        "%u",
        threads, threads);
  shape.from_launcher = size > 1;
  shape.threads_given = threads != 0;
  shape.pthreads_given = pthreads != 0;
  shape.pthreads = pthreads != 0 ? pthreads : threads != 0 ? (threads + size - 1) / size : 1;
  shape.threads = threads != 0 ? threads : size * shape.pthreads;
  if (shape.processes() == size) return;
  if (bootstrap.rank() != 0) {  // the first process says it
    ::sleep(2);
    ::_exit(255);
  }
  if (pthreads != 0)
    fatal(
        "UPCR_THREADS=%u with UPCR_PTHREADS=%u needs %u processes, but the launcher started %u; start %u, or "
        "unset UPCR_THREADS",
        threads, pthreads, shape.processes(), size, shape.processes());
  fatal(
      "UPCR_THREADS=%u UPC threads cannot be dealt evenly to the %u processes that the launcher started; "
      "start "
      "another number of processes, or unset UPCR_THREADS",
      threads, size);
}

}  // namespace

const JobShape& job_shape() noexcept { return shape; }

std::unique_ptr<Bootstrap> make_bootstrap(int argc, char** argv, unsigned processes) {
  if (const char* text = std::getenv(wire::kJobVariable)) return join(text);
  const unsigned threads =
      processes != 0 ? processes : count_from_environment("UPCR_THREADS", UPCR_MAX_THREADS);
  const unsigned pthreads = processes != 0 ? 1 : count_from_environment("UPCR_PTHREADS", UPCR_MAX_PTHREADS);
  if (auto bootstrap = place_is_taken() ? nullptr : join_launchers_job()) {
    shape_for(*bootstrap, processes != 0 ? bootstrap->size() : threads, pthreads);
    return bootstrap;
  }
  if (threads > 1) relaunch(threads, pthreads, argv);
  shape.threads_given = threads != 0;
  shape.pthreads_given = pthreads != 0;
  shape.pthreads = pthreads != 0 ? pthreads : 1;
  shape.threads = threads != 0 ? threads : shape.pthreads;
  return make_singleton_bootstrap();
}

}  // namespace upcr

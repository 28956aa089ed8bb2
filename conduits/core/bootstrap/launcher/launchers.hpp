// SPDX-License-Identifier: BSD-3-Clause
// Launchers other than upcrun: their environment variables, and the method of joining a job that these allow.
// Private to conduits/core/bootstrap. Main thread, once.
#pragma once
#include <memory>

#include "conduits/core/bootstrap/bootstrap.hpp"

namespace upcr {

// The description of this process's job in the environment.
struct LauncherEnvironment {
  bool mpi_initialized = false;  // by the program
  bool mpi_requested = false;    // UPCR_CONDUIT=mpi
  bool open_mpi = false;         // mpirun of Open MPI
  bool pmi = false;              // PMI_RANK and PMI_SIZE: hydra, srun --mpi=pmi2
  bool pmix = false;             // PMIX_RANK and PMIX_NAMESPACE
  bool slurm = false;            // a process of a srun step
  unsigned rank = 0, size = 1;   // as the launcher's variables say
  const char* size_variable = "";
};
LauncherEnvironment read_launcher_environment();

enum class JoinMethod {
  kSingleton,
  kMpi,
  kPmix,
  kUnreachable,  // there is a launcher, but no method that reaches the other processes
};
JoinMethod choose_join_method(const LauncherEnvironment& environment);

// For an error that all processes find: rank 0 reports it, the others wait for it to end the job.
// With UPCR_FREEZE_ON_ERROR all of them wait for a debugger.
[[noreturn]] void fatal_on_rank0(unsigned rank, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Joins the job of mpirun or srun; null when neither has started this process. Fatal, reported by one
// process, when it cannot join.
std::unique_ptr<Bootstrap> join_launcher_job();

}  // namespace upcr

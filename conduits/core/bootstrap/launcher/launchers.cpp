// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/bootstrap/launcher/launchers.hpp"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conduits/core/base/report/debugger.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/bootstrap/launcher/mpi_library.hpp"
#include "conduits/core/bootstrap/module.hpp"

namespace upcr {
namespace {

bool number(const char* name, unsigned* out) {
  const char* text = std::getenv(name);
  char* end = nullptr;
  if (text == nullptr || *text < '0' || *text > '9') return false;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*end != '\0' || value > 1u << 30) return false;
  *out = static_cast<unsigned>(value);
  return true;
}

bool read_rank_and_size(LauncherEnvironment& s, const char* rank, const char* size) {
  unsigned r = 0, n = 0;
  if (!number(rank, &r) || !number(size, &n)) return false;
  if (s.size <= 1) s.rank = r, s.size = n, s.size_variable = size;
  return true;
}

[[noreturn]] void report_unreachable(const LauncherEnvironment& s) {
  const char* cure =
      s.slurm && s.pmix
          ? "srun offers PMIx, which the program's MPI library does not use; try `srun --mpi=pmi2`"
      : s.slurm ? "srun offers no PMIx here; use `srun --mpi=pmix` (`srun --mpi=list` shows what "
                  "there is), or mpirun inside the allocation"
                : "the launcher belongs to another MPI library than the program's or "
                  "UPCR_MPI_LIBRARY; start it with that library's own mpirun (mpirun.openmpi, "
                  "mpirun.mpich)";
  fatal_on_rank0(
      s.rank,
      "the job was started as %u processes (%s=%u), but each of them is alone: they cannot find each "
      "other; %s",
      s.size, s.size_variable, s.size, cure);
}

std::unique_ptr<Bootstrap> create(const LoadedModule& loaded) {
  return reinterpret_cast<const BootstrapModule*>(loaded.object)->create();
}

std::unique_ptr<Bootstrap> join_by_mpi(const LauncherEnvironment& s, const std::string& why_not_pmix = {}) {
  const LoadedModule loaded = load_mpi_module(kMpiBootstrapKind);
  if (loaded.object == nullptr && s.size <= 1)
    return nullptr;  // a program alone, which may use MPI by itself
  if (loaded.object == nullptr)
    fatal_on_rank0(s.rank, "cannot join the job of %u processes that a launcher started: %s%s", s.size,
                   why_not_pmix.c_str(), loaded.where.c_str());
  auto bootstrap = create(loaded);
  if (bootstrap->size() == 1 && s.size > 1) report_unreachable(s);
  return bootstrap;
}

// UPC needs no MPI to join by PMIx, but a program that calls MPI itself needs its own library's launcher:
// under another one each of its processes would be alone in MPI_COMM_WORLD. A static libupcr brings its MPI
// library along.
void check_library_of_program(const LauncherEnvironment& s) {
  if (linked_modules() != nullptr) return;
  const MpiChoice choice = choose_mpi(MpiLibrary::kNone, loaded_mpi(), launcher_mpi());
  if (!choice.why_not.empty())
    fatal_on_rank0(s.rank, "cannot join the job of %u processes that a launcher started: %s", s.size,
                   choice.why_not.c_str());
}

std::unique_ptr<Bootstrap> join_by_pmix(const LauncherEnvironment& s) {
  check_library_of_program(s);
  const LoadedModule loaded = load_module(kPmixModuleKind, "pmix", "pmix");
  if (loaded.object != nullptr) return create(loaded);
  return join_by_mpi(s, loaded.where + "; by MPI instead: ");
}

}  // namespace

void fatal_on_rank0(unsigned rank, const char* format, ...) {
  if (rank != 0) {
    freeze_on_error();  // when this process ended, the launcher would kill rank 0 while it is frozen
    ::sleep(2);
    ::_exit(255);
  }
  std::va_list args;
  va_start(args, format);
  vfatal(format, args);
}

LauncherEnvironment read_launcher_environment() {
  LauncherEnvironment s;
  s.mpi_initialized = mpi_is_initialized();
  const char* conduit = std::getenv("UPCR_CONDUIT");
  s.mpi_requested = conduit != nullptr && std::strcmp(conduit, "mpi") == 0;
  s.open_mpi = read_rank_and_size(s, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE");
  s.pmi = read_rank_and_size(s, "PMI_RANK", "PMI_SIZE");
  // A batch script is in the allocation, but not a process of a step: only srun sets the number of the step's
  // tasks.
  s.slurm = read_rank_and_size(s, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS");
  unsigned rank = 0;
  s.pmix = number("PMIX_RANK", &rank) && std::getenv("PMIX_NAMESPACE") != nullptr;
  return s;
}

JoinMethod choose_join_method(const LauncherEnvironment& s) {
  if (s.mpi_initialized) return JoinMethod::kMpi;
  // A job of one process, too: the conduit makes it a member of the launcher's job, which it must leave in
  // order.
  if (s.mpi_requested && (!s.pmix || s.size == 1) && (s.open_mpi || s.pmi)) return JoinMethod::kMpi;
  if (s.size <= 1 && !(s.pmix && !s.open_mpi && !s.slurm)) return JoinMethod::kSingleton;
  if (s.pmix) return JoinMethod::kPmix;
  if (s.open_mpi || s.pmi) return JoinMethod::kMpi;
  return JoinMethod::kUnreachable;
}

std::unique_ptr<Bootstrap> join_launcher_job() {
  const LauncherEnvironment signs = read_launcher_environment();
  switch (choose_join_method(signs)) {
    case JoinMethod::kSingleton:
      break;
    case JoinMethod::kMpi:
      return join_by_mpi(signs);
    case JoinMethod::kPmix:
      return join_by_pmix(signs);
    case JoinMethod::kUnreachable:
      report_unreachable(signs);
  }
  return nullptr;
}

}  // namespace upcr

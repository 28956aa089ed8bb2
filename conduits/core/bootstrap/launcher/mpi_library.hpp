// SPDX-License-Identifier: BSD-3-Clause
// Which MPI library this process is to use: a process can load one only, and it must be the launcher's. Used
// by launchers.cpp, core's registry and upcr_info. Set-up time, main thread.
#pragma once
#include <string>

#include "conduits/core/base/modules.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/bootstrap/launcher/mpi_names.hpp"

namespace upcr {

const char* mpi_module_file(MpiLibrary library);  // "mpi_openmpi"

// The one whose shared object is in this process already (the program is linked with it).
MpiLibrary loaded_mpi();
// The one whose mpirun started this process, by the environment. A launcher that serves both (srun) is kNone.
MpiLibrary launcher_mpi();
// Whether the program has called MPI_Init, and not MPI_Finalize.
bool mpi_is_initialized();

// The library to use: UPCR_MPI_LIBRARY, else the loaded one, else the launcher's, else any that has a module
// here. When two of these contradict each other, kNone and the reason with the cure.
struct MpiChoice {
  MpiLibrary library = MpiLibrary::kNone;
  std::string why_not;
};
// `likely` is chosen where nothing else decides.
MpiChoice choose_mpi(MpiLibrary requested, MpiLibrary loaded, MpiLibrary launcher,
                     MpiLibrary likely = MpiLibrary::kNone);

// The object of `kind` in the chosen library's module (conduit_mpi_openmpi.so, conduit_mpi_mpich.so).
LoadedModule load_mpi_module(const ModuleKind& kind);

}  // namespace upcr

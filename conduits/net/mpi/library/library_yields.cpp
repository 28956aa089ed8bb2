// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/library/library_yields.hpp"

#include <mpi.h>

#include <cstdlib>
#include <cstring>

namespace upcr::mpi {

bool library_yields() {
#ifdef OPEN_MPI
  // The user's setting, else what mpirun has found out.
  const char* setting = std::getenv("OMPI_MCA_mpi_yield_when_idle");
  if (setting == nullptr) setting = std::getenv("OMPI_MCA_mpi_oversubscribe");
  return setting != nullptr && *setting != '\0' &&
         std::strchr("0fFnNdD", *setting) == nullptr;  // 0, false, no, disabled
#else
  return false;
#endif
}

}  // namespace upcr::mpi

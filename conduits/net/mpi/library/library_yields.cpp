// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/library/library_yields.hpp"

#include <mpi.h>

#include <cstdlib>
#include <cstring>

namespace upcr::mpi {

bool library_yields() {
#ifdef OPEN_MPI
  // What somebody has said, else what mpirun found: the former overrules.
  const char* said = std::getenv("OMPI_MCA_mpi_yield_when_idle");
  if (said == nullptr) said = std::getenv("OMPI_MCA_mpi_oversubscribe");
  return said != nullptr && *said != '\0' &&
         std::strchr("0fFnNdD", *said) == nullptr;  // 0, false, no, disabled
#else
  return false;
#endif
}

}  // namespace upcr::mpi

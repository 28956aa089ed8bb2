// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/mpi/library_yields.hpp"

#include <mpi.h>

#include <algorithm>
#include <iterator>

namespace upcr::mpi {
namespace {

// A control variable of one element, of whatever integral type: whether it is not 0.
bool is_set(const char* name) {
  int index = 0, elements = 0;
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return false;
  MPI_T_cvar_handle handle;
  if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &elements) != MPI_SUCCESS) return false;
  char value[sizeof(long long)] = {};
  const bool known = elements == 1 && MPI_T_cvar_read(handle, value) == MPI_SUCCESS;
  (void)MPI_T_cvar_handle_free(&handle);
  return known && std::any_of(std::begin(value), std::end(value), [](char byte) { return byte != 0; });
}

}  // namespace

bool library_yields() {
  int level = 0;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &level) != MPI_SUCCESS) return false;
  const bool yields = is_set("mpi_yield_when_idle");
  (void)MPI_T_finalize();
  return yields;
}

}  // namespace upcr::mpi

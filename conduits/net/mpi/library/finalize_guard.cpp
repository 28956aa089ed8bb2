// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/library/finalize_guard.hpp"

#include "conduits/core/base/report/error.hpp"
#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {
namespace {

int keyval = MPI_KEYVAL_INVALID;
bool up = false;

// MPI_Finalize deletes the attributes of MPI_COMM_SELF before it does anything else.
int on_delete(MPI_Comm, int, void*, void*) {
  if (up)
    fatal(
        "MPI_Finalize was called while UPC or GASNet still uses MPI (conduit mpi); call it after the job's "
        "end, for UPC by the hook UPCRL_mpi_finalize, %s",
        session().ours() ? "and only if the program has called MPI_Init itself" : "which bupc_exit() calls");
  return MPI_SUCCESS;
}

}  // namespace

void raise_finalize_guard() {
  check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, nullptr), "MPI_Comm_create_keyval");
  check(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr), "MPI_Comm_set_attr");
  up = true;
}

void lower_finalize_guard() {
  if (!up) return;
  up = false;
  check(MPI_Comm_delete_attr(MPI_COMM_SELF, keyval), "MPI_Comm_delete_attr");
  check(MPI_Comm_free_keyval(&keyval), "MPI_Comm_free_keyval");
}

}  // namespace upcr::mpi

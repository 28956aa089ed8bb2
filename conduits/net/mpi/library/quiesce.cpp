// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/library/quiesce.hpp"

#include <sched.h>

#include "conduits/core/base/report/log.hpp"
#include "conduits/net/mpi/library/launcher.hpp"
#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {

#ifdef MPICH_VERSION

namespace {

LogComponent log_mpi("mpi");

constexpr int kTagEmpty = 1;

// One pair after the other: at any time one message each way, whatever the size of the job.
void exchange_empty_messages(MPI_Comm comm) {
  const int rank = static_cast<int>(session().rank()), size = static_cast<int>(session().size());
  for (int distance = 1; distance < size; ++distance) {
    const int to = (rank + distance) % size, from = (rank + size - distance) % size;
    check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, to, kTagEmpty, nullptr, 0, MPI_BYTE, from, kTagEmpty, comm,
                       MPI_STATUS_IGNORE),
          "MPI_Sendrecv", to);
  }
}

// One process may have an environment without the launcher's variables.
bool all_have_launcher_barrier(MPI_Comm comm) {
  int mine = has_launcher_barrier() ? 1 : 0, all = 0;
  check(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  return all != 0;
}

void make_progress(MPI_Comm comm) {
  int any = 0;
  check(MPI_Iprobe(MPI_ANY_SOURCE, kTagEmpty, comm, &any, MPI_STATUS_IGNORE), "MPI_Iprobe");
  ::sched_yield();
}

}  // namespace

void quiesce_before_finalize() {
  if (session().size() == 1) return;
  MPI_Comm comm = duplicate_world();
  bool met = all_have_launcher_barrier(comm);
  if (met) {
    exchange_empty_messages(comm);
    met = enter_launcher_barrier();
    while (met && !launcher_barrier_over()) make_progress(comm);
    met = met && leave_launcher_barrier();
  }
  check(MPI_Comm_free(&comm), "MPI_Comm_free");  // local: nothing is sent
  if (!met || !enter_launcher_barrier() || !leave_launcher_barrier())
    UPCR_LOG(log_mpi, kInfo, "the launcher has no barrier: MPI_Finalize may hang over TCP");
}

#else

void quiesce_before_finalize() {}

#endif

}  // namespace upcr::mpi

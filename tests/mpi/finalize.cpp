// SPDX-License-Identifier: BSD-3-Clause
// Does MPI_Finalize return when one process is late? Under mpirun: mpi_finalize_LIBRARY WAY. The last process
// has sent a message to all others, which have sent nothing; it comes late
//   to-close     to Session::close(), which finalizes;
//   inside       to the library's own part of MPI_Finalize;
//   of-program   as `inside`, where the program itself initialises and finalizes MPI.
// Or it is not late but has no environment any more, where the launcher's variables were, cleared
//   no-environment              after Session::open();
//   no-environment-of-program   before it, and after the program's MPI_Init.
// If the library, or the session's precaution, fails the test never ends.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conduits/net/mpi/library/session.hpp"

using upcr::mpi::check;
using upcr::mpi::session;

namespace {

constexpr useconds_t kLate = 300'000;  // long enough for the others to finish what they can do alone
constexpr int kTag = 7;

// MPI_Finalize deletes the attributes of MPI_COMM_SELF before it does anything else.
int sleep_on_delete(MPI_Comm, int, void*, void*) {
  ::usleep(kLate);
  return MPI_SUCCESS;
}

void be_late_in_finalize() {
  int key = MPI_KEYVAL_INVALID;
  check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, sleep_on_delete, &key, nullptr),
        "MPI_Comm_create_keyval");
  check(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
}

bool clears_environment(const char* way) { return std::strncmp(way, "no-environment", 14) == 0; }

void clear_environment_of_last() {
  int rank = 0, size = 0;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  if (rank == size - 1) ::clearenv();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s WAY\n", argv[0]), 2;
  const bool of_program = std::strstr(argv[1], "of-program") != nullptr;
  if (of_program) check(MPI_Init(nullptr, nullptr), "MPI_Init");
  if (of_program && clears_environment(argv[1])) clear_environment_of_last();
  session().open();
  if (clears_environment(argv[1])) clear_environment_of_last();
  const int rank = static_cast<int>(session().rank()), last = static_cast<int>(session().size()) - 1;
  if (rank == last) {
    for (int to = 0; to < last; ++to)
      check(MPI_Send(nullptr, 0, MPI_BYTE, to, kTag, MPI_COMM_WORLD), "MPI_Send");
    if (std::strcmp(argv[1], "to-close") == 0)
      ::usleep(kLate);
    else if (!clears_environment(argv[1]))
      be_late_in_finalize();
  } else {
    check(MPI_Recv(nullptr, 0, MPI_BYTE, last, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), "MPI_Recv");
  }
  session().close();
  int finalized = 0;
  check(MPI_Finalized(&finalized), "MPI_Finalized");
  if ((finalized != 0) == of_program) {
    std::fprintf(stderr, "rank %d: MPI is %sfinalized\n", rank, finalized != 0 ? "" : "not ");
    return 1;
  }
  if (of_program) check(MPI_Finalize(), "MPI_Finalize");
  return 0;
}

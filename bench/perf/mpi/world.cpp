// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/mpi/world.hpp"

#include <mpi.h>

#include <cstdlib>
#include <cstring>

#include "bench/perf/network/cases.hpp"

namespace perf {
namespace {

void end() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Finalize();
}

}  // namespace

void start_network() {
  const char* const conduit = std::getenv("UPCR_CONDUIT");
  const bool by_mpirun = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr;
  if (!by_mpirun || conduit == nullptr || std::strcmp(conduit, "smp") != 0) return;
  int level = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level) == MPI_SUCCESS) std::atexit(end);
}

bool threads_are_ranks(const ThreadTeam& team) {
  int runs = 0, size = 0;
  MPI_Initialized(&runs);
  if (runs != 0) MPI_Comm_size(MPI_COMM_WORLD, &size);
  return static_cast<ThreadTeam::Thread>(size) == team.threads() && team.processes() == team.threads();
}

}  // namespace perf

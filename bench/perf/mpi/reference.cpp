// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/mpi/reference.hpp"

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

Burst mpi_round_trips(std::shared_ptr<const Pairs> pairs, MPI_Comm world, const std::shared_ptr<char>& buffer,
                      std::size_t bytes) {
  const auto peer = static_cast<int>(pairs->peer());
  const bool leads = pairs->leads();
  return both_sides(std::move(pairs), [=, count = static_cast<int>(bytes)](std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) {
      if (leads) MPI_Send(buffer.get(), count, MPI_BYTE, peer, 0, world);
      MPI_Recv(buffer.get(), count, MPI_BYTE, peer, 0, world, MPI_STATUS_IGNORE);
      if (!leads) MPI_Send(buffer.get(), count, MPI_BYTE, peer, 0, world);
    }
  });
}

}  // namespace perf

// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/mpi/trips.hpp"

namespace perf {

Burst mpi_round_trips(std::shared_ptr<const Pairs> pairs, MPI_Comm world, std::shared_ptr<char> buffer,
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

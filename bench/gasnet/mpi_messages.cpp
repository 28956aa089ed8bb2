// SPDX-License-Identifier: BSD-3-Clause
// Active messages over conduit mpi beside blocking MPI calls on a communicator of their own, between the same
// pairs of nodes (bench/perf/measure/pairs.hpp), which all work at once in test and reference.
#include <mpi.h>

#include <vector>

#include "bench/gasnet/gasnet_rows.hpp"
#include "bench/gasnet/messages.hpp"
#include "bench/perf/mpi/reference.hpp"

namespace perf {

void add_network_messages(GasnetRows& rows) {
  constexpr std::size_t kBytes = 8;
  const GasnetThreadTeam& team = rows.team();
  if (!team.all(threads_are_ranks(team) && team.has_partner())) return;
  const auto pairs = std::make_shared<const Pairs>(team);
  MPI_Comm world;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);  // not freed: MPI may have ended when the cases do
  const auto buffer = std::make_shared<std::vector<char>>(kBytes, 1);
  Burst test = both_sides(pairs, [&team, pairs](std::uint64_t n) {
    if (pairs->leads())
      send_requests(team.node_of(pairs->peer()), {}, n);
    else
      serve_requests(n);
  });
  rows.add("mpi_am_short", "Short request and reply", std::move(test), "MPI_Send, MPI_Recv",
           mpi_round_trips(pairs, world, std::shared_ptr<char>(buffer, buffer->data()), kBytes), kBytes);
}

}  // namespace perf

// SPDX-License-Identifier: BSD-3-Clause
// MPI's collectives of all ranks, on a communicator of their own, between buffers of private memory. UPC's
// reductions fold all elements to one, so beside them stands what a program does with MPI: a loop over the
// thread's elements, and a reduction of one element.
#include <mpi.h>

#include <cstdlib>
#include <cstring>

#include "bench/perf/mpi/reference.hpp"
#include "bench/perf/network/cases.hpp"
#include "bench/perf/network/collective_data.hpp"

namespace perf {
namespace {

// One UPC thread a process: these are the thread's.
MPI_Comm world = MPI_COMM_NULL;
std::vector<double> from, to;

// Eight sums at a time, so that no addition waits for the one before it.
double sum_of(const double* values, std::size_t n) {
  constexpr std::size_t kSums = 8;
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums)
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += values[i + k];
  double sum = 0;
  for (; i < n; ++i) sum += values[i];
  for (const double s : sums) sum += s;
  return sum;
}

void run(Collective collective, int bytes) {
  switch (collective) {
    case Collective::kBroadcast:
      MPI_Bcast(to.data(), bytes, MPI_BYTE, 0, world);
      break;
    case Collective::kScatter:
      MPI_Scatter(from.data(), bytes, MPI_BYTE, to.data(), bytes, MPI_BYTE, 0, world);
      break;
    case Collective::kGather:
      MPI_Gather(from.data(), bytes, MPI_BYTE, to.data(), bytes, MPI_BYTE, 0, world);
      break;
    case Collective::kGatherAll:
      MPI_Allgather(from.data(), bytes, MPI_BYTE, to.data(), bytes, MPI_BYTE, world);
      break;
    case Collective::kExchange:
      MPI_Alltoall(from.data(), bytes, MPI_BYTE, to.data(), bytes, MPI_BYTE, world);
      break;
    case Collective::kReduce:
    case Collective::kReduceAll: {
      const double mine = sum_of(from.data(), static_cast<std::size_t>(bytes) / sizeof(double));
      if (collective == Collective::kReduce)
        MPI_Reduce(&mine, to.data(), 1, MPI_DOUBLE, MPI_SUM, 0, world);
      else
        MPI_Allreduce(&mine, to.data(), 1, MPI_DOUBLE, MPI_SUM, world);
      break;
    }
  }
}

const char* name_of(Collective collective) {
  switch (collective) {
    case Collective::kBroadcast:
      return "MPI_Bcast";
    case Collective::kScatter:
      return "MPI_Scatter";
    case Collective::kGather:
      return "MPI_Gather";
    case Collective::kGatherAll:
      return "MPI_Allgather";
    case Collective::kExchange:
      return "MPI_Alltoall";
    case Collective::kReduce:
      return "MPI_Reduce";
    default:
      return "MPI_Allreduce";
  }
}

}  // namespace

NetworkReference network_reference(const ThreadTeam& team, Collective collective, std::size_t bytes) {
  if (!threads_are_ranks(team)) return {};
  if (world == MPI_COMM_NULL) {
    team.barrier();                        // inside MPI a thread does not serve upcr's peers
    MPI_Comm_dup(MPI_COMM_WORLD, &world);  // not freed: MPI may end before us
  }
  const std::size_t source = source_bytes(team, collective, bytes);
  const std::size_t target = target_bytes(team, collective, bytes);
  const std::size_t values = team.threads() * (bytes / sizeof(double) + 1);
  return {name_of(collective), on_all_threads(
                                   team,
                                   [=] {
                                     if (from.size() >= values) return;
                                     from.resize(values);
                                     to.resize(values);
                                   },
                                   [=] {
                                     // A broadcast's source is the root's target.
                                     write_lines((collective == Collective::kBroadcast ? to : from).data(),
                                                 source);
                                     run(collective, static_cast<int>(bytes));
                                     read_lines(to.data(), target);
                                   })};
}

}  // namespace perf

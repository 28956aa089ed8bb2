// SPDX-License-Identifier: BSD-3-Clause
// The references are blocking MPI calls on a communicator of their own, between the same pairs of threads
// (pairs.hpp), which all work at once in tests as in references. Time is that of one transfer of each pair: a
// round trip for latencies, half a round trip of large messages for bandwidths.
#include "bench/perf/network/cases.hpp"

#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "bench/perf/measure/pairs.hpp"
#include "bench/perf/measure/upcr_thread_team.hpp"
#include "bench/perf/mpi/reference.hpp"
#include "bench/perf/mpi/scattered.hpp"
#include "conduits/core/base/system/cpu.hpp"

namespace perf {
namespace {

constexpr std::size_t kLargest = 4u << 20;
constexpr unsigned kOutstanding = 8;  // copies under way before they are waited for
// A burst of large copies has several such rounds, because at its start the peer is idle and sleeps in naps.
constexpr std::uint64_t kMinOperations = 4 * kOutstanding;

// The state of one UPC thread; lives as long as the cases.
struct PairState {
  explicit PairState(const ThreadTeam& team) : pairs(std::make_shared<Pairs>(team)) {
    std::memset(here.get(), 1, kLargest);
  }
  const std::shared_ptr<const Pairs> pairs;
  MPI_Comm world = MPI_COMM_NULL;
  upcr_shared_ptr_t target{};  // kLargest bytes of the peer's
  // Begins with a cache line, as the target does: to copy between buffers of which one does and the other
  // does not takes 5 to 20 % longer.
  std::unique_ptr<char, decltype(&std::free)> here{
      static_cast<char*>(std::aligned_alloc(upcr::kCacheLine, kLargest)), &std::free};
};

// Between the memory that the tests copy from and to.
Burst round_trips(const std::shared_ptr<PairState>& b, std::size_t bytes) {
  return mpi_round_trips(b->pairs, b->world, std::shared_ptr<char>(b, b->here.get()), bytes);
}

class PairRows {
 public:
  PairRows(std::shared_ptr<PairState> pair, std::vector<Case>& cases)
      : pair_(std::move(pair)), cases_(cases) {}

  void latencies() {
    const std::shared_ptr<PairState> b = pair_;
    const upcr_pshared_ptr_t target = upcr_shared_to_pshared(b->target);
    beside_round_trip("mpi_put", "upcr_put_pshared_val, 8 bytes",
                      leader_side(b->pairs, [target](std::uint64_t n) {
                        for (std::uint64_t i = 0; i < n; ++i) upcr_put_pshared_val(target, 0, i, 8);
                      }));
    beside_round_trip("mpi_get", "upcr_get_pshared_val, 8 bytes",
                      leader_side(b->pairs, [target](std::uint64_t n) {
                        for (std::uint64_t i = 0; i < n; ++i) (void)upcr_get_pshared_val(target, 0, 8);
                      }));
  }

  void bandwidths(std::size_t bytes, const char* size) {
    const std::shared_ptr<PairState> b = pair_;
    const auto row = [&](const char* name, const char* call, auto copy, void (*wait)()) {
      const auto reference = [trips = round_trips(b, bytes)](std::uint64_t n) { return trips(n) / 2; };
      const auto test = [b, bytes, copy, wait](std::uint64_t n) {
        for (std::uint64_t i = 1; i <= n; ++i) {
          copy(*b, bytes);
          if (i % kOutstanding == 0) wait();
        }
        wait();
      };
      cases_.push_back({std::string(name) + size,
                        std::string(call) + ", " + std::to_string(bytes) + " bytes, 8 under way",
                        leader_side(b->pairs, test),
                        "MPI_Send one way",
                        reference,
                        bytes,
                        {},
                        kMinOperations});
    };
    row(
        "mpi_put_", "upcr_nbi_memput",
        [](PairState& pair, std::size_t n) { upcr_nbi_memput(pair.target, pair.here.get(), n); },
        [] { upcr_wait_syncnbi_puts(); });
    row(
        "mpi_get_", "upcr_nbi_memget",
        [](PairState& pair, std::size_t n) { upcr_nbi_memget(pair.here.get(), pair.target, n); },
        [] { upcr_wait_syncnbi_gets(); });
  }

 private:
  void beside_round_trip(const char* name, const char* summary, Burst test) {
    cases_.push_back({name, summary, std::move(test), "MPI_Send, MPI_Recv", round_trips(pair_, 8), 8});
  }

  const std::shared_ptr<PairState> pair_;
  std::vector<Case>& cases_;
};

}  // namespace

void add_network_cases(const UpcrThreadTeam& team, std::vector<Case>& cases) {
  if (!team.all(threads_are_ranks(team) && team.has_partner())) return;
  const auto pair = std::make_shared<PairState>(team);
  MPI_Comm_dup(MPI_COMM_WORLD, &pair->world);  // not freed: MPI may have ended when the cases do
  pair->target = upcr_add_shared(upcr_all_alloc(team.threads(), kLargest), 1,
                                 static_cast<std::ptrdiff_t>(pair->pairs->peer() * kLargest), kLargest);
  PairRows rows(pair, cases);
  rows.latencies();
  add_mpi_scattered(team, pair->world, pair->target, pair->pairs, cases);
  rows.bandwidths(65536, "64k");
  rows.bandwidths(1u << 20, "1m");
  rows.bandwidths(4u << 20, "4m");
}

}  // namespace perf

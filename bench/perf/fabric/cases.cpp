// SPDX-License-Identifier: BSD-3-Clause
// The references are the calls of fi_pingpong, on endpoints of their own between the same pairs of threads
// (pairs.hpp), in the same processes and milliseconds. Time is that of one transfer of each pair: a round
// trip for latencies, half of one for bandwidths.
#include <sched.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/perf/fabric/link.hpp"
#include "bench/perf/measure/pairs.hpp"
#include "bench/perf/measure/upcr_thread_team.hpp"
#include "bench/perf/network/cases.hpp"

namespace perf {
namespace {

constexpr std::size_t kLargest = FabricLink::kLargest;
constexpr unsigned kOutstanding = 8;  // copies under way before they are waited for

// The state of one UPC thread; lives as long as the cases.
struct PairState {
  explicit PairState(const ThreadTeam& team) : pairs(std::make_shared<Pairs>(team)) {}
  const std::shared_ptr<const Pairs> pairs;
  FabricLink link;
  upcr_shared_ptr_t target{};  // kLargest bytes of the peer's
  char* here = nullptr;        // kLargest bytes of this thread's, of shared memory
};

bool oversubscribed(const ThreadTeam& team) {
  cpu_set_t mine;
  return sched_getaffinity(0, sizeof mine, &mine) == 0 &&
         static_cast<ThreadTeam::Thread>(CPU_COUNT(&mine)) < team.threads();
}

// All threads return a reason, or none does; the texts may differ.
std::string open_links(const ThreadTeam& team, PairState& pair) {
  if (!team.has_partner() || !team.partner_in_other_process()) return "it takes two processes";
  if (team.value_of_leader(team.target_here() != nullptr) != 0)
    return "the partner's memory is mapped: UPCR_PSHM=no makes it another's";
  const std::string why_not =
      pair.pairs->participates() ? pair.link.open(oversubscribed(team)) : std::string();
  if (!team.all(why_not.empty())) return why_not.empty() ? "another thread has no such network" : why_not;
  for (ThreadTeam::Thread t = 0; t < team.threads(); ++t) {
    const std::uint64_t address = team.value_of(t, pair.pairs->participates() ? pair.link.address() : 0);
    if (pair.pairs->participates() && pair.pairs->peer() == t) pair.link.connect(address);
  }
  return {};
}

Burst round_trips(const std::shared_ptr<PairState>& b, std::size_t bytes) {
  return both_sides(b->pairs,
                    [b, bytes](std::uint64_t n) { b->link.round_trips(n, bytes, b->pairs->leads()); });
}

class PairRows {
 public:
  PairRows(std::shared_ptr<PairState> pair, std::string why_not, std::vector<Case>& cases)
      : pair_(std::move(pair)), why_not_(std::move(why_not)), cases_(cases) {}

  void accesses() {
    const std::shared_ptr<PairState> b = pair_;
    const auto put = [b](std::uint64_t n) {
      for (std::uint64_t i = 0; i < n; ++i) upcr_put_shared_val(b->target, 0, i, 8);
    };
    const auto get = [b](std::uint64_t n) {
      for (std::uint64_t i = 0; i < n; ++i) (void)upcr_get_shared_val(b->target, 0, 8);
    };
    const auto add = [b](std::uint64_t n) {
      for (std::uint64_t i = 0; i < n; ++i) (void)bupc_atomicU64_fetchadd_strict(b->target, 1);
    };
    latency("ofi_put", "upcr_put_shared_val, 8 bytes", put, 8);
    latency("ofi_get", "upcr_get_shared_val, 8 bytes", get, 8);
    latency("ofi_fetch_add", "bupc_atomicU64_fetchadd_strict", add, 8);
  }

  // One copy at a time, whose acknowledgement is short; the reference carries as much in both directions.
  void copy(std::size_t bytes, const char* size) {
    const std::shared_ptr<PairState> b = pair_;
    const auto put = [b, bytes](std::uint64_t n) {
      for (std::uint64_t i = 0; i < n; ++i) upcr_memput(b->target, b->here, bytes);
    };
    latency(std::string("ofi_memput_") + size, "upcr_memput, " + std::to_string(bytes) + " bytes", put,
            bytes);
  }

  void bandwidth(std::size_t bytes, const char* size) {
    const std::shared_ptr<PairState> b = pair_;
    const auto put = [b, bytes](std::uint64_t n) {
      for (std::uint64_t i = 1; i <= n; ++i) {
        upcr_nbi_memput(b->target, b->here, bytes);
        if (i % kOutstanding == 0 || i == n) upcr_wait_syncnbi_puts();
      }
    };
    const auto get = [b, bytes](std::uint64_t n) {
      for (std::uint64_t i = 1; i <= n; ++i) {
        upcr_nbi_memget(b->here, b->target, bytes);
        if (i % kOutstanding == 0 || i == n) upcr_wait_syncnbi_gets();
      }
    };
    const std::string what = ", " + std::to_string(bytes) + " bytes, 8 under way";
    const auto one_way = [trips = round_trips(b, bytes)](std::uint64_t n) { return trips(n) / 2; };
    push(std::string("ofi_put_") + size, "upcr_nbi_memput" + what, leader_side(b->pairs, put),
         "libfabric one way", one_way, bytes, 4 * kOutstanding);
    push(std::string("ofi_get_") + size, "upcr_nbi_memget" + what, leader_side(b->pairs, get),
         "libfabric one way", one_way, bytes, 4 * kOutstanding);
  }

 private:
  template <typename Work>
  void latency(const std::string& name, const std::string& summary, Work work, std::size_t bytes) {
    push(name, summary, leader_side(pair_->pairs, work), "libfabric round trip", round_trips(pair_, bytes),
         bytes, 1);
  }
  void push(std::string name, std::string summary, Burst test, std::string reference_name, Burst reference,
            std::size_t bytes, std::uint64_t least) {
    cases_.push_back({std::move(name), std::move(summary), std::move(test), std::move(reference_name),
                      std::move(reference), bytes, why_not_, least});
  }

  const std::shared_ptr<PairState> pair_;
  const std::string why_not_;
  std::vector<Case>& cases_;
};

}  // namespace

void start_network() {}
NetworkReference network_reference(const ThreadTeam&, Collective, std::size_t) { return {}; }

void add_network_cases(const UpcrThreadTeam& team, std::vector<Case>& cases) {
  const auto pair = std::make_shared<PairState>(team);
  const upcr_shared_ptr_t memory = upcr_all_alloc(team.threads(), kLargest);
  const auto part = [memory](upcr_thread_t thread) {
    return upcr_add_shared(memory, 1, static_cast<std::ptrdiff_t>(thread * kLargest), kLargest);
  };
  pair->target = part(pair->pairs->peer());
  pair->here = static_cast<char*>(upcr_shared_to_local(part(team.me())));
  PairRows rows(pair, open_links(team, *pair), cases);
  rows.accesses();
  rows.copy(64, "64");
  rows.copy(512, "512");
  rows.copy(4096, "4k");
  rows.bandwidth(65536, "64k");
  rows.bandwidth(1u << 20, "1m");
  rows.bandwidth(4u << 20, "4m");
}

}  // namespace perf

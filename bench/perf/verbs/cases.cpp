// SPDX-License-Identifier: BSD-3-Clause
// The references are plain verbs between the same pairs of threads (pairs.hpp), each pair on a connection of
// its own (verbs/pairs.hpp); all pairs work at once, in tests as in references. Time is that of one transfer
// of each pair.
#include <memory>
#include <string>

#include "bench/perf/measure/pairs.hpp"
#include "bench/perf/measure/upcr_thread_team.hpp"
#include "bench/perf/network/cases.hpp"
#include "bench/perf/verbs/pairs.hpp"

namespace perf {
namespace {

constexpr std::size_t kLargest = VerbsLink::kLargest;
constexpr unsigned kBatch = 8, kSmallBatch = 64;  // transfers under way before they are waited for

// The state of one UPC thread; lives as long as the cases.
struct PairState {
  explicit PairState(const ThreadTeam& team)
      : pairs(std::make_shared<Pairs>(team)), private_memory(kLargest, 1) {}
  char* local(bool in_segment) { return in_segment ? segment : private_memory.data(); }

  const std::shared_ptr<const Pairs> pairs;
  VerbsLink link;
  upcr_shared_ptr_t target{};  // kLargest bytes of the peer's
  char* segment = nullptr;     // kLargest bytes of this thread's, of shared memory
  std::vector<char> private_memory;
};

class PairRows {
 public:
  // `why_not`: empty, or the reason that the rows report in place of times.
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
    const auto puts = [b](std::uint64_t n) {
      for (std::uint64_t i = 1; i <= n; ++i) {
        upcr_put_nbi_shared_val(b->target, 0, i, 8);
        if (i % kSmallBatch == 0 || i == n) upcr_wait_syncnbi_puts();
      }
    };
    add("ibv_put", "upcr_put_shared_val, 8 bytes", leader_side(b->pairs, put), "verbs write", writes(8, 1),
        8);
    add("ibv_get", "upcr_get_shared_val, 8 bytes", leader_side(b->pairs, get), "verbs read", reads(8, 1), 8);
    add("ibv_put_nbi", "upcr_put_nbi_shared_val, 8 bytes, synced every 64", leader_side(b->pairs, puts),
        "verbs write", writes(8, kSmallBatch), 8);
  }

  // One copy at a time.
  void copy(std::size_t bytes, const char* size) {
    const std::shared_ptr<PairState> b = pair_;
    const auto put = [b, bytes](std::uint64_t n) {
      for (std::uint64_t i = 0; i < n; ++i) upcr_memput(b->target, b->private_memory.data(), bytes);
    };
    const auto get = [b, bytes](std::uint64_t n) {
      for (std::uint64_t i = 0; i < n; ++i) upcr_memget(b->private_memory.data(), b->target, bytes);
    };
    const std::string what = ", " + std::to_string(bytes) + " bytes";
    add("ibv_memput_" + std::string(size), "upcr_memput" + what, leader_side(b->pairs, put), "verbs write",
        writes(bytes, 1), bytes);
    add("ibv_memget_" + std::string(size), "upcr_memget" + what, leader_side(b->pairs, get), "verbs read",
        reads(bytes, 1), bytes);
  }

  // Several at a time; the local end is private memory or shared memory of this thread.
  void bandwidth(std::size_t bytes, const char* size, bool in_segment) {
    const std::shared_ptr<PairState> b = pair_;
    const auto put = [b, bytes, in_segment](std::uint64_t n) {
      for (std::uint64_t i = 1; i <= n; ++i) {
        upcr_nbi_memput(b->target, b->local(in_segment), bytes);
        if (i % kBatch == 0 || i == n) upcr_wait_syncnbi_puts();
      }
    };
    const auto get = [b, bytes, in_segment](std::uint64_t n) {
      for (std::uint64_t i = 1; i <= n; ++i) {
        upcr_nbi_memget(b->local(in_segment), b->target, bytes);
        if (i % kBatch == 0 || i == n) upcr_wait_syncnbi_gets();
      }
    };
    const std::string name = std::string(size) + (in_segment ? "_seg" : "");
    const std::string what = ", " + std::to_string(bytes) + " bytes, 8 under way, " +
                             (in_segment ? "shared" : "private") + " memory here";
    add("ibv_put_" + name, "upcr_nbi_memput" + what, leader_side(b->pairs, put), "verbs write",
        writes(bytes, kBatch), bytes);
    add("ibv_get_" + name, "upcr_nbi_memget" + what, leader_side(b->pairs, get), "verbs read",
        reads(bytes, kBatch), bytes);
  }

 private:
  Burst writes(std::size_t bytes, unsigned batch) {
    return leader_side(pair_->pairs,
                       [b = pair_, bytes, batch](std::uint64_t n) { b->link.writes(n, bytes, batch); });
  }
  Burst reads(std::size_t bytes, unsigned batch) {
    return leader_side(pair_->pairs,
                       [b = pair_, bytes, batch](std::uint64_t n) { b->link.reads(n, bytes, batch); });
  }
  void add(std::string name, std::string summary, Burst test, std::string reference_name, Burst reference,
           std::size_t bytes) {
    cases_.push_back({std::move(name), std::move(summary), std::move(test), std::move(reference_name),
                      std::move(reference), bytes, why_not_});
  }

  const std::shared_ptr<PairState> pair_;
  const std::string why_not_;
  std::vector<Case>& cases_;
};

}  // namespace

void start_network() {}
NetworkReference network_reference(const ThreadTeam&, Collective, std::size_t) { return {}; }

void add_network_cases(const UpcrThreadTeam& team, std::vector<Case>& cases) {
  const VerbsPort port = find_verbs_port();
  const std::string why_not = verbs_obstacle(team, port);
  const auto pair = std::make_shared<PairState>(team);
  const upcr_shared_ptr_t memory = upcr_all_alloc(team.threads(), kLargest);
  const auto part = [memory](upcr_thread_t thread) {
    return upcr_add_shared(memory, 1, static_cast<std::ptrdiff_t>(thread * kLargest), kLargest);
  };
  pair->target = part(pair->pairs->peer());
  pair->segment = static_cast<char*>(upcr_shared_to_local(part(team.me())));
  if (why_not.empty()) connect_pairs(team, *pair->pairs, port, pair->link);
  PairRows rows(pair, why_not, cases);
  rows.accesses();
  rows.copy(512, "512");
  rows.copy(4096, "4k");
  for (const bool in_segment : {false, true}) {
    rows.bandwidth(65536, "64k", in_segment);
    rows.bandwidth(1u << 20, "1m", in_segment);
    rows.bandwidth(4u << 20, "4m", in_segment);
  }
}

}  // namespace perf

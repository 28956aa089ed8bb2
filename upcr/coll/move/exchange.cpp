// SPDX-License-Identifier: BSD-3-Clause
// Exchange and permute. See move.hpp.
#include <cstring>
#include <memory>

#include "upcr/coll/move/gather_all.hpp"
#include "upcr/coll/move/move.hpp"

namespace upcr::coll {
namespace {

// Pairwise exchange (Thakur, Rabenseifner, Gropp 2005): in step s each member writes to the member s after
// it, so that each is the target of one other at a time.
Task pairwise(Move m) {
  m.expect_access_by_all();
  std::memcpy(m.my_dst(m.me), m.my_src(m.me), m.n);
  for (TeamRank step = 1; step < m.size; ++step) {
    const TeamRank to = (m.me + step) % m.size, from = (m.me + m.size - step) % m.size;
    co_await m.call.entered(to);
    Transfers t(m.call);
    t.put(m.dst_at(to, m.me), m.my_src(to), m.n);
    co_await t;
    m.call.end_access_to(to);
    m.call.post(to, step, nullptr, 0);
    co_await m.call.received(from, step, nullptr, 0);
  }
}

// Bruck's algorithm for all-to-all (Bruck et al. 1997), log2(n) rounds. Initially entry i of `blocks` is for
// the member i after this one; in the round of a bit each member sends the entries whose index has that bit
// to the member `bit` after it. Finally entry i is from the member i before this one.
Task bruck(Move m) {
  const auto blocks = std::make_unique_for_overwrite<char[]>(m.size * m.n);
  const auto out = std::make_unique_for_overwrite<char[]>((m.size + 1) / 2 * m.n + m.n);
  for (std::uint64_t i = 0; i < m.size; ++i)
    std::memcpy(blocks.get() + i * m.n, m.my_src((m.me + i) % m.size), m.n);
  unsigned tag = 0;
  for (std::uint64_t bit = 1; bit < m.size; bit *= 2, ++tag) {
    std::size_t bytes = 0;
    for (std::uint64_t i = bit; i < m.size; ++i)
      if ((i & bit) != 0) {
        std::memcpy(out.get() + bytes, blocks.get() + i * m.n, m.n);
        bytes += m.n;
      }
    m.call.post(static_cast<TeamRank>((m.me + bit) % m.size), tag, out.get(), bytes);
    co_await m.call.received(static_cast<TeamRank>((m.me + m.size - bit) % m.size), tag, out.get(), bytes);
    bytes = 0;
    for (std::uint64_t i = bit; i < m.size; ++i)
      if ((i & bit) != 0) {
        std::memcpy(blocks.get() + i * m.n, out.get() + bytes, m.n);
        bytes += m.n;
      }
  }
  for (std::uint64_t i = 0; i < m.size; ++i)
    std::memcpy(m.my_dst((m.me + m.size - i) % m.size), blocks.get() + i * m.n, m.n);
}

}  // namespace

Task exchange(Move m, Algorithm algorithm) {
  if (algorithm == Algorithm::kPairwise) return pairwise(m);
  if (algorithm == Algorithm::kDoubling) return bruck(m);
  return read_from_all(m, true);
}

// The target does not know which member writes to it.
Task permute(Move m, int target) {
  const auto to = static_cast<TeamRank>(target);
  if (to != m.me) m.call.expect_access_by_any();
  co_await m.call.entered(to);
  Transfers t(m.call);
  t.put(m.dst_at(to), m.my_src(), m.n);
  co_await t;
  m.call.end_access_to(to, true);
}

Task run_collective(Move m, Collective what) {
  const Algorithm algorithm = choose(m.call.team().tuning, what, m.size, m.n, m.call.in() == kInAllSync);
  co_await m.call.entering();
  switch (what) {
    case Collective::kBroadcast:
      co_await broadcast(m, algorithm);
      break;
    case Collective::kScatter:
      co_await scatter(m, algorithm);
      break;
    case Collective::kGather:
      co_await gather(m, algorithm);
      break;
    case Collective::kGatherAll:
      co_await gather_all(m, algorithm);
      break;
    case Collective::kExchange:
      co_await exchange(m, algorithm);
      break;
    case Collective::kCount:
      break;
  }
  co_await m.call.leaving();
}

}  // namespace upcr::coll

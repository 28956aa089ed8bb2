// SPDX-License-Identifier: BSD-3-Clause
// Gather to all; and reading from all members, which exchange uses too. See move.hpp.
#include "upcr/coll/move/gather_all.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace upcr::coll {
namespace {

// Bruck's algorithm for all-gather (Bruck et al. 1997), log2(n) rounds: before round i each member has the
// blocks of the 2^i members from itself on; in it, it receives those of as many more.
Task bruck(Move m) {
  const auto buffer = std::make_unique_for_overwrite<char[]>(m.size * m.n);
  std::memcpy(buffer.get(), m.my_src(), m.n);
  unsigned tag = 0;
  for (std::uint64_t have = 1; have < m.size; have *= 2, ++tag) {
    const std::uint64_t more = std::min<std::uint64_t>(have, m.size - have);
    const auto to = static_cast<TeamRank>((m.me + m.size - have) % m.size);
    const auto from = static_cast<TeamRank>((m.me + have) % m.size);
    m.call.post(to, tag, buffer.get(), more * m.n);
    co_await m.call.received(from, tag, buffer.get() + have * m.n, more * m.n);
  }
  for (std::uint64_t i = 0; i < m.size; ++i)
    std::memcpy(m.my_dst((m.me + i) % m.size), buffer.get() + i * m.n, m.n);
}

// Ring: each member reads block after block from the member before it.
Task ring(Move m) {
  const TeamRank next = (m.me + 1) % m.size, before = (m.me + m.size - 1) % m.size;
  std::memcpy(m.my_dst(m.me), m.my_src(), m.n);
  for (TeamRank step = 0; step + 1 < m.size; ++step) {
    m.call.post(next, step, nullptr, 0);
    co_await m.call.received(before, step, nullptr, 0);
    const TeamRank block = (before + m.size - step) % m.size;
    Transfers t(m.call);
    t.get(m.my_dst(block), m.dst_at(before, block), m.n);
    co_await t;
  }
  if (m.size == 1) co_return;
  m.call.end_access_to(before);
  m.call.expect_access_by(next);
}

}  // namespace

Task read_from_all(Move m, bool exchange) {
  m.expect_access_by_all();
  std::memcpy(m.my_dst(m.me), m.my_src(exchange ? m.me : 0), m.n);
  // In the order in which they enter: no member has to wait for this one because this one waits for another.
  std::vector<TeamRank> left, ready;
  for (TeamRank i = 1; i < m.size; ++i) left.push_back((m.me + i) % m.size);
  while (!left.empty()) {
    co_await m.call.until(left.size() == 1 ? left[0] : Call::kAnyMember, [&] {
      const auto late = std::stable_partition(left.begin(), left.end(),
                                              [&](TeamRank from) { return !m.call.has_entered(from, true); });
      ready.assign(late, left.end());
      left.erase(late, left.end());
      return !ready.empty();
    });
    Transfers t(m.call);
    for (const TeamRank from : ready) t.get(m.my_dst(from), m.src_at(from, exchange ? m.me : 0), m.n);
    co_await t;
    for (const TeamRank from : ready) m.call.end_access_to(from);
  }
}

Task gather_all(Move m, Algorithm algorithm) {
  if (algorithm == Algorithm::kDoubling) return bruck(m);
  if (algorithm == Algorithm::kRing) return ring(m);
  return read_from_all(m, false);
}

}  // namespace upcr::coll

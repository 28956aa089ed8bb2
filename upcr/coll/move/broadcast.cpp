// SPDX-License-Identifier: BSD-3-Clause
// Broadcast. See move.hpp.
#include <algorithm>
#include <cstring>

#include "upcr/coll/move/move.hpp"
#include "upcr/coll/move/tree.hpp"

namespace upcr::coll {
namespace {

constexpr unsigned kData = 0;               // tag; segment k of a pipeline: kData + k
constexpr std::size_t kSegment = 64 << 10;  // of a pipeline

void copy_own(const Move& m) { std::memcpy(m.my_dst(), m.my_src(), m.n); }

// Each member reads from the root.
Task flat(Move m) {
  if (m.me == m.root) {
    m.expect_access_by_all();
    copy_own(m);
    co_return;
  }
  co_await m.call.entered(m.root);
  Transfers t(m.call);
  t.get(m.my_dst(), m.src_at(m.root), m.n);
  co_await t;
  m.call.end_access_to(m.root);
}

// Binomial or k-nomial tree: small blocks are messages; of a larger one the parent announces that it has it,
// and its children read it.
Task tree(Move m, std::uint64_t radix) {
  const Tree shape{m.size, radix};
  const auto absolute = [&](std::uint64_t relative) {
    return static_cast<TeamRank>((relative + m.root) % m.size);
  };
  const std::uint64_t relative = (std::uint64_t{m.me} + m.size - m.root) % m.size;
  const bool by_message = m.n <= kEagerLimit;
  if (relative != 0) {
    const TeamRank parent = absolute(shape.parent(relative));
    co_await m.call.received(parent, kData, m.my_dst(), by_message ? m.n : 0);
    if (!by_message) {
      Transfers t(m.call);
      t.get(m.my_dst(), parent == m.root ? m.src_at(parent) : m.dst_at(parent), m.n);
      co_await t;
      m.call.end_access_to(parent);
    }
  }
  const char* const data = relative == 0 ? m.my_src() : m.my_dst();
  shape.children(relative, [&](std::uint64_t child) {
    m.call.post(absolute(child), kData, data, by_message ? m.n : 0);
    if (!by_message) m.call.expect_access_by(absolute(child));
  });
  if (relative == 0) copy_own(m);
}

// Pipelined chain: each member forwards segment after segment to the next one.
Task ring(Move m) {
  const TeamRank next = (m.me + 1) % m.size, before = (m.me + m.size - 1) % m.size;
  const bool has_next = next != m.root;
  if (m.me == m.root) copy_own(m);
  unsigned tag = kData;
  for (std::size_t at = 0; at < m.n; at += kSegment, ++tag) {
    if (m.me != m.root) {
      co_await m.call.received(before, tag, nullptr, 0);
      SharedAddr from = before == m.root ? m.src_at(before) : m.dst_at(before);
      from.offset += at;
      Transfers t(m.call);
      t.get(m.my_dst() + at, from, std::min(kSegment, m.n - at));
      co_await t;
    }
    if (has_next) m.call.post(next, tag, nullptr, 0);
  }
  if (m.me != m.root) m.call.end_access_to(before);
  if (has_next) m.call.expect_access_by(next);
}

}  // namespace

void Move::expect_access_by_all() const {
  for (TeamRank m = 0; m < size; ++m) call.expect_access_by(m);
}

Task broadcast(Move m, Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kBinomial:
      return tree(m, 2);
    case Algorithm::kKnomial:
      return tree(m, m.call.team().tuning.radix);
    case Algorithm::kRing:
      return ring(m);
    default:
      return flat(m);
  }
}

}  // namespace upcr::coll

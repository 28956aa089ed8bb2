// SPDX-License-Identifier: BSD-3-Clause
// Scatter and gather. In a binomial or k-nomial tree the blocks of a subtree are one message. See move.hpp.
#include <cstring>
#include <memory>

#include "upcr/coll/move/move.hpp"
#include "upcr/coll/move/tree.hpp"

namespace upcr::coll {
namespace {

constexpr unsigned kData = 0;  // tag

// Ranks relative to the root.
struct Order {
  explicit Order(const Move& m) : root(m.root), size(m.size) {}
  TeamRank absolute(std::uint64_t relative) const { return static_cast<TeamRank>((relative + root) % size); }
  std::uint64_t relative(TeamRank member) const { return (std::uint64_t{member} + size - root) % size; }
  std::uint64_t root, size;
};

Task scatter_flat(Move m) {
  if (m.me == m.root) {
    m.expect_access_by_all();
    std::memcpy(m.my_dst(), m.my_src(m.me), m.n);
    co_return;
  }
  co_await m.call.entered(m.root);
  Transfers t(m.call);
  t.get(m.my_dst(), m.src_at(m.root, m.me), m.n);
  co_await t;
  m.call.end_access_to(m.root);
}

Task scatter_tree(Move m, std::uint64_t radix) {
  const Tree shape{m.size, radix};
  const Order order(m);
  const std::uint64_t me = order.relative(m.me), blocks = shape.subtree(me);
  const auto buffer = std::make_unique_for_overwrite<char[]>(blocks * m.n);
  if (me != 0)
    co_await m.call.received(order.absolute(shape.parent(me)), kData, buffer.get(), blocks * m.n);
  else
    for (std::uint64_t i = 0; i < blocks; ++i)
      std::memcpy(buffer.get() + i * m.n, m.my_src(order.absolute(i)), m.n);
  shape.children(me, [&](std::uint64_t child) {
    m.call.post(order.absolute(child), kData, buffer.get() + (child - me) * m.n, shape.subtree(child) * m.n);
  });
  std::memcpy(m.my_dst(), buffer.get(), m.n);
}

Task gather_flat(Move m) {
  if (m.me == m.root) {
    m.expect_access_by_all();
    std::memcpy(m.my_dst(m.me), m.my_src(), m.n);
    co_return;
  }
  co_await m.call.entered(m.root);
  Transfers t(m.call);
  t.put(m.dst_at(m.root, m.me), m.my_src(), m.n);
  co_await t;
  m.call.end_access_to(m.root);
}

Task gather_tree(Move m, std::uint64_t radix) {
  const Tree shape{m.size, radix};
  const Order order(m);
  const std::uint64_t me = order.relative(m.me), blocks = shape.subtree(me);
  const auto buffer = std::make_unique_for_overwrite<char[]>(blocks * m.n);
  std::memcpy(buffer.get(), m.my_src(), m.n);
  // The subtrees of the children are consecutive.
  for (std::uint64_t child = me + 1; child < me + blocks; child += shape.subtree(child))
    co_await m.call.received(order.absolute(child), kData, buffer.get() + (child - me) * m.n,
                             shape.subtree(child) * m.n);
  if (me != 0)
    m.call.post(order.absolute(shape.parent(me)), kData, buffer.get(), blocks * m.n);
  else
    for (std::uint64_t i = 0; i < blocks; ++i)
      std::memcpy(m.my_dst(order.absolute(i)), buffer.get() + i * m.n, m.n);
}

}  // namespace

Task scatter(Move m, Algorithm algorithm) {
  if (algorithm == Algorithm::kBinomial) return scatter_tree(m, 2);
  if (algorithm == Algorithm::kKnomial) return scatter_tree(m, m.call.team().tuning.radix);
  return scatter_flat(m);
}

Task gather(Move m, Algorithm algorithm) {
  if (algorithm == Algorithm::kBinomial) return gather_tree(m, 2);
  if (algorithm == Algorithm::kKnomial) return gather_tree(m, m.call.team().tuning.radix);
  return gather_flat(m);
}

}  // namespace upcr::coll

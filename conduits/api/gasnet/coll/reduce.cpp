// SPDX-License-Identifier: BSD-3-Clause
// A reduction along the binomial tree of rank 0, in which each image combines runs of ranks from left to
// right, so that functions need be associative only; then the result goes to the root.
#include "conduits/api/gasnet/coll/algorithms.hpp"

namespace upcr::gasnet::coll {

Task reduce(Call& c, TeamRank root, void* dst, const void* src, Reduction reduction) {
  const Binomial tree(c.rank(), 0, c.size());
  const std::size_t bytes = reduction.element_bytes * reduction.elements;
  std::vector<TeamRank> children;
  tree.children_ascending([&](TeamRank child) { children.push_back(child); });
  const bool in_place = tree.is_root() && root == 0;
  const Scratch own(in_place || children.empty() ? 0 : bytes), parts(children.empty() ? 0 : 2 * bytes);
  char* const result = in_place ? static_cast<char*>(dst) : own.data();
  const void* mine = src;
  if (in_place || !children.empty()) {
    copy(result, src, bytes);
    mine = result;
  }
  // Two parts are received at a time, as long as two are left.
  Receive receives[2];
  const auto part = [&](std::size_t i) { return parts.data() + i % 2 * bytes; };
  const auto post = [&](std::size_t i) { c.post(receives[i % 2], children[i], kData, part(i), bytes); };
  for (std::size_t i = 0; i < std::min<std::size_t>(2, children.size()); ++i) post(i);
  for (std::size_t i = 0; i < children.size(); ++i) {
    co_await c.until([&] { return receives[i % 2].done(); });
    if (bytes != 0)
      reduction.function.fnptr(result, reduction.elements, result, reduction.elements, part(i),
                               reduction.element_bytes, static_cast<int>(reduction.function.flags),
                               reduction.argument);
    if (i + 2 < children.size()) post(i + 2);
  }
  if (!tree.is_root()) {
    std::vector<Transfer> up{{tree.parent(), kData, mine, bytes}};
    co_await c.send(std::move(up));
  } else if (root != 0) {
    std::vector<Transfer> last{{root, kData + 1, mine, bytes}};
    co_await c.send(std::move(last));
  }
  if (c.rank() == root && root != 0) {
    Receive r;
    c.post(r, 0, kData + 1, dst, bytes);
    co_await c.until([&] { return r.done(); });
  }
}

}  // namespace upcr::gasnet::coll

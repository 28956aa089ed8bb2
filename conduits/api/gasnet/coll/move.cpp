// SPDX-License-Identifier: BSD-3-Clause
// Broadcast, scatter and gather: between one image and all.
#include "conduits/api/gasnet/coll/algorithms.hpp"

namespace upcr::gasnet::coll {
namespace {

// From this size on a broadcast is a scatter and a ring: the root sends the data about once, not once a
// child.
constexpr std::size_t kLargeBroadcast = 256 << 10;
constexpr TeamRank kFewImages = 4;

Task tree_broadcast(Call& c, const Binomial& tree, void* dst, const void* src, std::size_t bytes) {
  const void* data = src;
  if (!tree.is_root()) {
    Receive r;
    c.post(r, tree.rank_of(tree.parent()), kData, dst, bytes);
    co_await c.until([&] { return r.done(); });
    data = dst;
  }
  std::vector<Transfer> transfers;
  tree.children([&](TeamRank child) { transfers.push_back({tree.rank_of(child), kData, data, bytes}); });
  co_await c.send(std::move(transfers));
  copy(dst, data, bytes);
}

// The van de Geijn algorithm (Barnett et al., Interprocessor collective communication library, 1994): a
// scatter of the data along the tree, then a ring in which each image forwards the part that it received
// last.
Task scatter_ring_broadcast(Call& c, const Binomial& tree, void* dst, const void* src, std::size_t bytes) {
  const TeamRank n = c.size();
  const std::size_t part = round_up((bytes + n - 1) / n, std::size_t{64});
  const auto start = [=](TeamRank v) { return std::min(bytes, v * part); };
  char* const to = static_cast<char*>(dst);
  if (tree.is_root()) {
    copy(dst, src, bytes);
  } else {
    Receive r;
    const std::size_t from = start(tree.me()), end = start(tree.me() + tree.extent(tree.me()));
    c.post(r, tree.rank_of(tree.parent()), kData, to + from, end - from);
    co_await c.until([&] { return r.done(); });
  }
  std::vector<Transfer> transfers;
  tree.children([&](TeamRank child) {
    const std::size_t from = start(child), end = start(child + tree.extent(child));
    transfers.push_back({tree.rank_of(child), kData, to + from, end - from});
  });
  co_await c.send(std::move(transfers));
  const TeamRank right = tree.rank_of((tree.me() + 1) % n), left = tree.rank_of((tree.me() + n - 1) % n);
  for (TeamRank i = 0; i + 1 < n; ++i) {
    const TeamRank out = (tree.me() + n - i) % n, in = (tree.me() + 2 * n - i - 1) % n;
    // A part that the scatter has brought already arrives again: the neighbour does not know of it.
    Receive r;
    c.post(r, left, kData + 1 + i, to + start(in), start(in + 1) - start(in));
    std::vector<Transfer> one{{right, kData + 1 + i, to + start(out), start(out + 1) - start(out)}};
    co_await c.send(std::move(one));
    co_await c.until([&] { return r.done(); });
  }
}

}  // namespace

Task broadcast(Call& c, TeamRank root, void* dst, const void* src, std::size_t bytes) {
  const Binomial tree(c.rank(), root, c.size());
  if (bytes >= kLargeBroadcast && c.size() >= kFewImages)
    co_await scatter_ring_broadcast(c, tree, dst, src, bytes);
  else
    co_await tree_broadcast(c, tree, dst, src, bytes);
}

// Along the tree: an image that forwards data has the blocks of its subtree in the order of relative ranks.
Task scatter(Call& c, TeamRank root, void* dst, const void* src, std::size_t bytes) {
  const Binomial tree(c.rank(), root, c.size());
  const TeamRank extent = tree.extent(tree.me());
  const bool passes_on = extent > 1;
  const Scratch scratch(passes_on && (root != 0 || !tree.is_root()) ? extent * bytes : 0);
  const char* blocks = scratch.data();
  if (!tree.is_root()) {
    Receive r;
    void* const place = passes_on ? scratch.data() : dst;
    c.post(r, tree.rank_of(tree.parent()), kData, place, extent * bytes);
    co_await c.until([&] { return r.done(); });
    if (!passes_on) co_return;
  } else if (root == 0 || !passes_on) {
    blocks = static_cast<const char*>(src);
  } else {
    const std::size_t before = root * bytes, behind = (c.size() - root) * bytes;
    copy(scratch.data(), static_cast<const char*>(src) + before, behind);
    copy(scratch.data() + behind, src, before);
  }
  std::vector<Transfer> transfers;
  tree.children([&](TeamRank child) {
    transfers.push_back(
        {tree.rank_of(child), kData, blocks + (child - tree.me()) * bytes, tree.extent(child) * bytes});
  });
  co_await c.send(std::move(transfers));
  copy(dst, blocks, bytes);
}

// The same in the other direction.
Task gather(Call& c, TeamRank root, void* dst, const void* src, std::size_t bytes) {
  const Binomial tree(c.rank(), root, c.size());
  const TeamRank extent = tree.extent(tree.me());
  const bool in_place = tree.is_root() && root == 0;
  const Scratch scratch(!in_place && extent > 1 ? extent * bytes : 0);
  char* const blocks = in_place ? static_cast<char*>(dst) : scratch.data();
  const char* mine = static_cast<const char*>(src);
  if (extent > 1) {
    std::vector<TeamRank> children;
    tree.children([&](TeamRank child) { children.push_back(child); });
    const auto receives = std::make_unique<Receive[]>(children.size());
    for (std::size_t i = 0; i < children.size(); ++i)
      c.post(receives[i], tree.rank_of(children[i]), kData, blocks + (children[i] - tree.me()) * bytes,
             tree.extent(children[i]) * bytes);
    copy(blocks, src, bytes);
    co_await c.until([&] {
      return std::all_of(receives.get(), receives.get() + children.size(),
                         [](const Receive& r) { return r.done(); });
    });
    mine = blocks;
  }
  if (!tree.is_root()) {
    std::vector<Transfer> up{{tree.rank_of(tree.parent()), kData, mine, extent * bytes}};
    co_await c.send(std::move(up));
  } else if (extent == 1) {
    copy(dst, src, bytes);
  } else if (!in_place) {
    const std::size_t before = root * bytes, behind = (c.size() - root) * bytes;
    copy(static_cast<char*>(dst) + before, blocks, behind);
    copy(dst, blocks + behind, before);
  }
}

}  // namespace upcr::gasnet::coll

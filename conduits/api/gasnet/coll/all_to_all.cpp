// SPDX-License-Identifier: BSD-3-Clause
// All-to-all and all-gather.
#include "conduits/api/gasnet/coll/algorithms.hpp"

namespace upcr::gasnet::coll {
namespace {

// Bruck's exchange sends each block up to log2(n) times, so it is for small ones.
constexpr std::size_t kSmallBlock = 256;
constexpr TeamRank kManyImages = 8;
constexpr TeamRank kAtOnce = 16;  // receives of a pairwise exchange at a time

struct Blocks {
  TeamRank first, count;
};
// `count` blocks from `first`, wrapping around at n: one run or two. The second one may be empty.
struct Runs {
  Blocks runs[2];
};
Runs runs_of(TeamRank first, TeamRank count, TeamRank n) noexcept {
  const TeamRank one = std::min(count, n - first);
  return {{{first, one}, {0, count - one}}};
}

// The k-th round moves all blocks whose distance has bit k.
Task bruck_exchange(Call& c, char* dst, const char* src, std::size_t bytes) {
  const TeamRank n = c.size(), me = c.rank();
  const Scratch blocks(n * bytes), out(n * bytes), in(n * bytes);
  const auto block = [&](TeamRank i) { return blocks.data() + i * bytes; };
  for (TeamRank i = 0; i < n; ++i) copy(block(i), src + (me + i) % n * bytes, bytes);
  std::uint32_t step = kData;
  for (TeamRank bit = 1; bit < n; bit *= 2, ++step) {
    TeamRank count = 0;
    for (TeamRank i = bit; i < n; ++i)
      if ((i & bit) != 0) copy(out.data() + count++ * bytes, block(i), bytes);
    Receive r;
    c.post(r, (me + n - bit) % n, step, in.data(), count * bytes);
    std::vector<Transfer> one{{(me + bit) % n, step, out.data(), count * bytes}};
    co_await c.send(std::move(one));
    co_await c.until([&] { return r.done(); });
    count = 0;
    for (TeamRank i = bit; i < n; ++i)
      if ((i & bit) != 0) copy(block(i), in.data() + count++ * bytes, bytes);
  }
  for (TeamRank i = 0; i < n; ++i) copy(dst + (me + n - i) % n * bytes, block(i), bytes);
}

// Pairwise exchange: in round i with the images at distance i on both sides, kAtOnce rounds at a time.
Task pairwise_exchange(Call& c, char* dst, const char* src, std::size_t bytes) {
  const TeamRank n = c.size(), me = c.rank();
  const auto receives = std::make_unique<Receive[]>(kAtOnce);
  copy(dst + me * bytes, src + me * bytes, bytes);
  for (TeamRank first = 1; first < n; first += kAtOnce) {
    const TeamRank count = std::min(kAtOnce, n - first);
    std::vector<Transfer> transfers;
    for (TeamRank i = 0; i < count; ++i) {
      const TeamRank from = (me + n - first - i) % n, to = (me + first + i) % n;
      c.post(receives[i], from, kData, dst + from * bytes, bytes);
      transfers.push_back({to, kData, src + to * bytes, bytes});
    }
    co_await c.send(std::move(transfers));
    co_await c.until([&] {
      return std::all_of(receives.get(), receives.get() + count, [](const Receive& r) { return r.done(); });
    });
  }
}

}  // namespace

// Bruck's concatenation (Bruck et al., Efficient algorithms for all-to-all communications in multiport
// message-passing systems, 1997): after round k every image has 2^(k+1) blocks, its own and the following
// ones.
Task gather_all(Call& c, void* dst, const void* src, std::size_t bytes) {
  const TeamRank n = c.size(), me = c.rank();
  char* const to = static_cast<char*>(dst);
  copy(to + me * bytes, src, bytes);
  std::uint32_t step = kData;
  for (TeamRank have = 1; have < n; have *= 2, step += 2) {
    const TeamRank count = std::min(have, n - have), from = (me + have) % n;
    const Runs in = runs_of(from, count, n), out = runs_of(me, count, n);
    Receive receives[2];
    std::vector<Transfer> transfers;
    // Both sides split the blocks in the same way, after block n - 1.
    for (std::uint32_t i = 0; i < 2; ++i) {
      c.post(receives[i], from, step + i, to + in.runs[i].first * bytes, in.runs[i].count * bytes);
      transfers.push_back(
          {(me + n - have) % n, step + i, to + out.runs[i].first * bytes, out.runs[i].count * bytes});
    }
    co_await c.send(std::move(transfers));
    co_await c.until([&] { return receives[0].done() && receives[1].done(); });
  }
}

Task exchange(Call& c, void* dst, const void* src, std::size_t bytes) {
  char* const to = static_cast<char*>(dst);
  const char* const from = static_cast<const char*>(src);
  if (bytes <= kSmallBlock && c.size() >= kManyImages)
    co_await bruck_exchange(c, to, from, bytes);
  else
    co_await pairwise_exchange(c, to, from, bytes);
}

}  // namespace upcr::gasnet::coll

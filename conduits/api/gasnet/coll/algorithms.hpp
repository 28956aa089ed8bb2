// SPDX-License-Identifier: BSD-3-Clause
// The collectives' algorithms, as coroutines: every image of the team runs the same one. dst and src are the
// image's own addresses, anywhere in its memory; `bytes` is the size of one block.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "conduits/api/gasnet/coll/call.hpp"

namespace upcr::gasnet::coll {

// The binomial tree over ranks relative to a root (Knuth, The Art of Computer Programming 4A, 7.2.1.3: B_n),
// as collectives use it: the subtree of v is the ranks [v, v + extent(v)), which halves of it continue.
class Binomial {
 public:
  Binomial(TeamRank rank, TeamRank root, TeamRank size) noexcept
      : size_(size), root_(root), me_((rank + size - root) % size) {}
  TeamRank me() const noexcept { return me_; }
  bool is_root() const noexcept { return me_ == 0; }
  TeamRank parent() const noexcept { return me_ & (me_ - 1); }
  TeamRank extent(TeamRank v) const noexcept { return std::min(span(v), size_ - v); }
  // Calls f(child) with relative ranks, the largest subtree first, or last.
  template <typename F>
  void children(F&& f) const {
    for (TeamRank bit = span(me_) / 2; bit != 0; bit /= 2)
      if (bit < size_ - me_) f(me_ + bit);
  }
  template <typename F>
  void children_ascending(F&& f) const {
    for (TeamRank bit = 1; bit < span(me_); bit *= 2)
      if (bit < size_ - me_) f(me_ + bit);
  }
  TeamRank rank_of(TeamRank relative) const noexcept { return (relative + root_) % size_; }

 private:
  TeamRank span(TeamRank v) const noexcept { return v == 0 ? std::bit_ceil(size_) : v & -v; }
  TeamRank size_, root_, me_;
};

// Aligned for any type; not initialised.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes)
      : memory_(std::make_unique_for_overwrite<Unit[]>(bytes / sizeof(Unit) + 1)) {}
  char* data() const noexcept { return memory_[0].bytes; }

 private:
  struct alignas(std::max_align_t) Unit {
    char bytes[sizeof(std::max_align_t)];
  };
  std::unique_ptr<Unit[]> memory_;
};

inline void copy(void* dst, const void* src, std::size_t bytes) {
  if (dst != src && bytes != 0) std::memmove(dst, src, bytes);
}

// barrier.cpp
Task dissemination(Call& c, std::uint32_t step);  // combines c.vote
// move.cpp
Task broadcast(Call& c, TeamRank root, void* dst, const void* src, std::size_t bytes);
Task scatter(Call& c, TeamRank root, void* dst, const void* src, std::size_t bytes);
Task gather(Call& c, TeamRank root, void* dst, const void* src, std::size_t bytes);
// all_to_all.cpp
Task gather_all(Call& c, void* dst, const void* src, std::size_t bytes);
Task exchange(Call& c, void* dst, const void* src, std::size_t bytes);
// reduce.cpp
struct Reduction {
  gasnet_coll_fn_entry_t function;
  int argument;
  std::size_t element_bytes, elements;
};
Task reduce(Call& c, TeamRank root, void* dst, const void* src, Reduction reduction);

// The whole collective: `body` between the barriers that the flags GASNET_COLL_IN_* and OUT_* ask for.
Task synchronised(Call& c, int flags, Task body);

}  // namespace upcr::gasnet::coll

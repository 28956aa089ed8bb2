// SPDX-License-Identifier: BSD-3-Clause
// Two sections as one set of loops: the same shape for both, then as few dimensions as possible.
#include <utility>

#include "conduits/core/vis/kernels.hpp"

namespace upcr {
namespace {

using Dim = VisPair::Dim;

std::size_t magnitude(std::ptrdiff_t stride) {
  return stride < 0 ? -static_cast<std::size_t>(stride) : static_cast<std::size_t>(stride);
}

// Iterates over the boundaries of one section: the lengths of its stream after which the stride changes.
class Boundaries {
 public:
  explicit Boundaries(const VisSection& s) noexcept : s_(s), end_(s.elem) {}
  std::size_t end() const noexcept { return end_; }
  // The distance of two addresses that are `at` bytes apart in the stream, at < end(), inside this level.
  std::ptrdiff_t stride(std::size_t at) const noexcept {
    return level_ == 0 ? static_cast<std::ptrdiff_t>(at)
                       : s_.dim[level_ - 1].stride * static_cast<std::ptrdiff_t>(at / begin_);
  }
  void next() noexcept {
    begin_ = end_;
    end_ *= s_.dim[level_++].count;
  }
  bool last() const noexcept { return level_ == s_.dims; }

 private:
  const VisSection& s_;
  unsigned level_ = 0;
  std::size_t begin_ = 1, end_;
};

}  // namespace

bool vis_pair(const VisSection& to, const VisSection& from, VisPair* pair) noexcept {
  Boundaries t(to), f(from);
  pair->to = to.base;
  pair->from = from.base;
  pair->elem = std::min(t.end(), f.end());
  pair->dims = 0;
  // Every boundary of either side is one of the common shape; it must be a multiple of the one below.
  for (std::size_t at = pair->elem;;) {
    if (t.end() == at && !t.last()) t.next();
    if (f.end() == at && !f.last()) f.next();
    if (t.end() == at && f.end() == at) return true;
    const std::size_t above = std::min(t.end(), f.end());
    if (above % at != 0) return false;
    pair->dim[pair->dims++] = {above / at, t.stride(at), f.stride(at)};
    at = above;
  }
}

void vis_fold(VisPair& p) noexcept {
  unsigned kept = 0;
  for (unsigned i = 0; i < p.dims; ++i) {
    Dim d = p.dim[i];
    if (d.count == 1) continue;
    if (d.to < 0) {  // copied from the other end
      const auto steps = static_cast<std::ptrdiff_t>(d.count - 1);
      p.to += static_cast<std::uint64_t>(d.to * steps);
      p.from += static_cast<std::uint64_t>(d.from * steps);
      d.to = -d.to;
      d.from = -d.from;
    }
    // Insertion by the destination's stride, then the source's: few dimensions, mostly in order.
    unsigned at = kept++;
    for (; at > 0 && std::pair(magnitude(p.dim[at - 1].to), magnitude(p.dim[at - 1].from)) >
                         std::pair(magnitude(d.to), magnitude(d.from));
         --at)
      p.dim[at] = p.dim[at - 1];
    p.dim[at] = d;
  }
  p.dims = 0;
  for (unsigned i = 0; i < kept; ++i) {
    const Dim d = p.dim[i];
    const auto elem = static_cast<std::ptrdiff_t>(p.elem);
    if (p.dims == 0 && d.to == elem && d.from == elem) {
      p.elem *= d.count;
      continue;
    }
    if (p.dims != 0) {
      Dim& below = p.dim[p.dims - 1];
      const auto count = static_cast<std::ptrdiff_t>(below.count);
      if (d.to == below.to * count && d.from == below.from * count) {
        below.count *= d.count;
        continue;
      }
    }
    p.dim[p.dims++] = d;
  }
}

}  // namespace upcr

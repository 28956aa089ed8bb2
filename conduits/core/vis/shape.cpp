// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/vis/shape.hpp"

namespace upcr {

bool vis_extent(const VisSection& s, std::uint64_t* first, std::uint64_t* end) noexcept {
  std::uint64_t low = s.base, high;
  if (__builtin_add_overflow(s.base, s.elem, &high)) return false;
  for (unsigned i = 0; i < s.dims; ++i) {
    const std::ptrdiff_t stride = s.dim[i].stride;
    const std::uint64_t step =
        stride < 0 ? -static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
    std::uint64_t reach;
    if (__builtin_mul_overflow(step, s.dim[i].count - 1, &reach)) return false;
    if (stride < 0 ? __builtin_sub_overflow(low, reach, &low) : __builtin_add_overflow(high, reach, &high))
      return false;
  }
  *first = low;
  *end = high;
  return true;
}

void vis_fold(VisSection& s) noexcept {
  unsigned kept = 0;
  for (unsigned i = 0; i < s.dims; ++i) {
    const VisDim d = s.dim[i];
    if (d.count == 1) continue;
    if (kept == 0 && d.stride == static_cast<std::ptrdiff_t>(s.elem))
      s.elem *= d.count;
    else if (kept != 0 &&
             d.stride == s.dim[kept - 1].stride * static_cast<std::ptrdiff_t>(s.dim[kept - 1].count))
      s.dim[kept - 1].count *= d.count;
    else
      s.dim[kept++] = d;
  }
  s.dims = kept;
}

std::size_t VisSide::bytes() const noexcept {
  switch (kind) {
    case Kind::kVector: {
      if (length != 0) return count * length;
      std::size_t n = 0;
      for (std::size_t i = 0; i < count; ++i) n += regions[i].bytes;
      return n;
    }
    case Kind::kIndexed:
      return count * length;
    case Kind::kSection:
      return section.bytes();
  }
  return 0;
}

}  // namespace upcr

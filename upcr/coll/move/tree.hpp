// SPDX-License-Identifier: BSD-3-Clause
// A k-nomial tree over members 0 .. size - 1 with root 0 (radix 2: the binomial tree). In base k, the parent
// of a member is that member with its lowest non-zero digit cleared; a subtree is its root and consecutive
// members after it.
#pragma once
#include <algorithm>
#include <cstdint>

namespace upcr::coll {

struct Tree {
  std::uint64_t size, radix;

  // The distance that bounds the member's subtree: radix^(number of trailing zero digits); for the root the
  // first power that is not below size.
  std::uint64_t reach(std::uint64_t member) const noexcept {
    std::uint64_t power = 1;
    while (power < size && member % (power * radix) == 0) power *= radix;
    return power;
  }
  std::uint64_t subtree(std::uint64_t member) const noexcept {
    return std::min(reach(member), size - member);
  }
  std::uint64_t parent(std::uint64_t member) const noexcept {
    return member - member % (reach(member) * radix);
  }
  // Calls visit(child) for each child, those with the largest subtrees first.
  template <typename Visit>
  void children(std::uint64_t member, Visit&& visit) const {
    for (std::uint64_t power = reach(member) / radix; power != 0; power /= radix)
      for (std::uint64_t digit = 1; digit < radix; ++digit)
        if (member + digit * power < size) visit(member + digit * power);
  }
};

}  // namespace upcr::coll

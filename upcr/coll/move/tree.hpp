// SPDX-License-Identifier: BSD-3-Clause
// The shape of a k-nomial tree over members 0 .. size - 1 of which 0 is the root (binomial: radix 2). In base
// k, a member's parent has its lowest digit that is not 0 cleared; its subtree is itself and the consecutive
// members after it.
#pragma once
#include <algorithm>
#include <cstdint>

namespace upcr::coll {

struct Tree {
  std::uint64_t size, radix;

  // radix^(number of trailing zero digits), or the first power that is not below size for the root: the
  // distance that bounds the member's subtree.
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
  // Calls visit(child), the largest subtrees first.
  template <typename Visit>
  void children(std::uint64_t member, Visit&& visit) const {
    for (std::uint64_t power = reach(member) / radix; power != 0; power /= radix)
      for (std::uint64_t digit = 1; digit < radix; ++digit)
        if (member + digit * power < size) visit(member + digit * power);
  }
};

}  // namespace upcr::coll

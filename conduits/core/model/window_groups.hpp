// SPDX-License-Identifier: BSD-3-Clause
// The ranks of each window group of a job. Groups are runs of consecutive ranks. Where all but perhaps the
// last have the same size, as launchers distribute ranks, this takes a few bytes however large the job is,
// else one number for each group. Constant once made; any thread.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "conduits/core/model/topology.hpp"

namespace upcr {

class WindowGroups {
 public:
  WindowGroups() = default;
  // `leaders`: the lowest ranks of all groups, ascending, the first is 0; `ranks`: the number of ranks.
  WindowGroups(std::vector<Rank> leaders, Rank ranks)
      : ranks_(ranks), count_(static_cast<std::uint32_t>(leaders.size())) {
    width_ = count_ > 1 ? leaders[1] : ranks;
    largest_ = 1;
    if (count_ == ranks) return;  // each alone
    bool regular = true;
    for (std::uint32_t g = 0; g < count_; ++g) {
      const Rank size = (g + 1 < count_ ? leaders[g + 1] : ranks) - leaders[g];
      largest_ = std::max(largest_, size);
      regular &= size == width_ || (g + 1 == count_ && size < width_);
    }
    if (!regular) leaders_ = std::move(leaders);
  }

  std::uint32_t count() const noexcept { return count_; }
  Rank largest() const noexcept { return largest_; }
  Rank first(std::uint32_t group) const noexcept {
    if (group >= count_) return ranks_;
    return leaders_.empty() ? group * width_ : leaders_[group];
  }
  Rank size(std::uint32_t group) const noexcept { return first(group + 1) - first(group); }

 private:
  Rank ranks_ = 0, width_ = 0, largest_ = 1;
  std::uint32_t count_ = 0;
  std::vector<Rank> leaders_;  // empty: group g starts at g * width_
};

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
// Which processes the barrier takes for one group: of regular divisions without a table, of others with one.
#include "conduits/core/model/window_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace upcr {
namespace {

// A regular division takes no table, and has the same results as one that does.
TEST(WindowGroups, AnyDivision) {
  const std::vector<std::vector<Rank>> sizes = {{1},       {5},          {1, 1, 1, 1}, {4, 4, 4},
                                                {4, 4, 1}, {3, 4, 4, 4}, {4, 4, 5, 4}, {2, 1, 2, 1},
                                                {1, 2},    {4, 2, 4}};
  for (const auto& division : sizes) {
    std::vector<Rank> leaders;
    Rank ranks = 0;
    for (const Rank n : division) {
      leaders.push_back(ranks);
      ranks += n;
    }
    const WindowGroups groups(leaders, ranks);
    ASSERT_EQ(groups.count(), division.size());
    EXPECT_EQ(groups.largest(), *std::max_element(division.begin(), division.end()));
    for (std::uint32_t g = 0; g < division.size(); ++g) {
      EXPECT_EQ(groups.first(g), leaders[g]) << g << " of " << division.size();
      EXPECT_EQ(groups.size(g), division[g]) << g << " of " << division.size();
    }
  }
}

}  // namespace
}  // namespace upcr

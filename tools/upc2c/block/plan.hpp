// SPDX-License-Identifier: BSD-3-Clause
// What may become of the reads of a block: reads that are done together, and what is done again.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "tools/upc2c/block/reads.hpp"
#include "tools/upc2c/block/repeats.hpp"

namespace upc2c {

struct BlockPlan {
  std::vector<ReadGroup> groups;
  Repeats repeats;
};

// Of the items of a block, or of one statement. An item for which `wanted` is false has nothing before it.
// Reads that are `done` by other means are left out.
BlockPlan plan_block(std::span<Node* const> items, const TokenStream& stream,
                     const std::function<bool(const Node*)>& wanted,
                     const std::function<bool(const Expr*)>& done);

}  // namespace upc2c

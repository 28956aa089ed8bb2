// SPDX-License-Identifier: BSD-3-Clause
// Members of one shared object that a block reads one after the other, as p->x and p->y: where the object is
// not mapped, one get of the bytes that have them all replaces a get of each.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "tools/upc2c/block/places.hpp"

namespace upc2c {

struct MemberRead {
  const Expr* access = nullptr;
  std::uint64_t offset = 0, size = 0;  // bytes, from the first one that is fetched
};

// The reads of one object that may be fetched together.
struct MemberGroup {
  const Node* before = nullptr;  // the item of the block in front of which they are fetched
  MemberPlace place;             // the bytes that are fetched
  std::uint32_t align = 1;       // of these in the object
  std::vector<MemberRead> reads;
};

// Of the items of a block, or of one statement. An item for which `wanted` is false has none before it.
std::vector<MemberGroup> find_member_groups(std::span<Node* const> items, const TokenStream& stream,
                                            const std::function<bool(const Node*)>& wanted);

}  // namespace upc2c

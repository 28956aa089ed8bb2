// SPDX-License-Identifier: BSD-3-Clause
// Reads of shared objects that a block does one after the other, and that may be done together where the
// objects are not mapped. Members of one object, as p->x and p->y, are one get of the bytes that have them
// all. Gets of several objects, as a[i] and b[j], are started together.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "tools/upc2c/block/events.hpp"
#include "tools/upc2c/place/places.hpp"

namespace upc2c {

struct GroupedRead {
  const Expr* access = nullptr;
  std::uint64_t offset = 0, size = 0;  // bytes, from the first one that is fetched
};

// The reads of one object.
struct ReadGroup {
  const Node* before = nullptr;  // the item of the block in front of which it is fetched
  ReadPlace place;               // the bytes that are fetched
  std::uint32_t align = 1;       // of these in the object
  bool several = false;          // members: worth a get of its own
  std::vector<GroupedRead> reads;
};

// Of the items of a block, or of one statement. An item for which `wanted` is false has none before it.
// Groups before the same item are those of several objects, or one of several members.
std::vector<ReadGroup> find_read_groups(std::span<const ItemEvents> items, const TokenStream& stream,
                                        const std::function<bool(const Node*)>& wanted);

}  // namespace upc2c

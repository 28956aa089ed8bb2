// SPDX-License-Identifier: BSD-3-Clause
// What straight code does again: reads of a shared object that nothing may have changed since it was read,
// and accesses of an element of a shared array that has been found already. Of an `if` at its end the
// conditions and the beginnings of the branches belong to it.
#pragma once
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "tools/upc2c/ast/stmt.hpp"
#include "tools/upc2c/block/events.hpp"
#include "tools/upc2c/block/reads.hpp"

namespace upc2c {

struct RepeatedRead {
  const Node* before = nullptr;    // the item of the block in front of which it may be read
  std::vector<const Expr*> reads;  // lvalues; the item always reads the first one
};
struct ElementAccess {
  const Expr *access = nullptr, *element = nullptr;  // the lvalue, and the part of it that is the element
};
struct RepeatedElement {
  const Node* before = nullptr;  // the item in front of which it may be found
  std::vector<ElementAccess> accesses;
};
// A read that is done again, and why.
struct ReadAgain {
  const Expr* read = nullptr;
  std::string_view reason;
};
struct Repeats {
  std::vector<RepeatedRead> reads;
  std::vector<RepeatedElement> elements;
  std::vector<ReadAgain> again;
};

// Of the items of a block, or of one statement. An item for which `wanted` is false has nothing before it.
// Reads and elements that are `done` by other means do not count. `groups`: the reads that are done together.
Repeats find_repeats(std::span<const ItemEvents> items, std::span<const ReadGroup> groups,
                     const TokenStream& stream, const std::function<bool(const Node*)>& wanted,
                     const std::function<bool(const Expr*)>& done);

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// The effects of statements without control flow, in the order in which they may happen: text order, operands
// before the operation. C leaves the order of many operands open; each of those orders is allowed.
#pragma once
#include <vector>

#include "tools/upc2c/ast/expr.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

struct Event {
  enum class Kind : std::uint8_t {
    kRead,      // of a shared object, relaxed
    kWrite,     // the same; or both, where an object is updated
    kAssigned,  // a private object is changed, or declared, by its name
    kStored,  // an object that a private pointer points to is changed: a private one, or a shared one that is
              // mapped
    kBranches,  // those of `if`, which may do anything; kOrder follows
    kOrder,     // what no shared read may be moved across, and all that is not known
  } kind = Kind::kOrder;
  const Expr* access = nullptr;    // of kRead and kWrite: the lvalue
  const Symbol* symbol = nullptr;  // of kAssigned
  bool always = true;              // it happens whenever the statement is run
};

// An item of a block and what it does.
struct ItemEvents {
  const Node* item = nullptr;
  std::vector<Event> events;
};

// Of an item of a block. Of `if`, `switch` and `return` the expression is what they begin with; statements of
// other kinds are only kOrder.
std::vector<Event> events_of(const Node* item, const TokenStream& stream);

}  // namespace upc2c

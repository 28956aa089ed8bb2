// SPDX-License-Identifier: BSD-3-Clause
// Updates of elements at any place of memory, `t[f(i)] += value;`, that may be done some iterations later:
// then the element is prefetched, and the processor has as many elements on their way as it can.
#pragma once
#include <vector>

#include "tools/upc2c/analysis/facts.hpp"
#include "tools/upc2c/ast/expr.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct IrregularAccess;

struct LaterUpdate {
  const Expr* update = nullptr;   // the statement's expression; null: there is none
  const Expr* lvalue = nullptr;   // of the element
  const Expr* operand = nullptr;  // null: 1
  BinaryOp op = BinaryOp::kAdd;   // of one that is not atomic
  bool atomic = false;            // `update` is the call
  // Pointers that do not vary and through which the loop reads private data: it may be done so if what they
  // point to is not in shared memory.
  std::vector<const NameExpr*> pointers;

  explicit operator bool() const { return update != nullptr; }
};

// Of a counted loop that runs to its end and whose only irregular access this is. Nothing if anything in the
// loop may see whether the update is done, or change what it does. `facts`: of the loop; it changes nothing
// that a pointer points to.
LaterUpdate find_later_update(const Node* body, const Expr* condition, const Expr* step,
                              const BodyFacts& facts, const IrregularAccess& access, const Target& target);

}  // namespace upc2c

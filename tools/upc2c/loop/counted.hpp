// SPDX-License-Identifier: BSD-3-Clause
// Counted loops: those whose number of iterations is known when they begin.
#pragma once
#include <string_view>

#include "tools/upc2c/analysis/linear.hpp"

namespace upc2c {

// for (...; variable relation bound; variable += step), or while (variable-- relation bound). The variable's
// first value is what it has when the loop begins. For steps of either sign the relation says in which
// direction it goes.
struct CountedLoop {
  const Symbol* variable = nullptr;
  BinaryOp relation = BinaryOp::kLess;     // kLess, kLessEqual, kGreater, kGreaterEqual, kNotEqual
  const Expr* bound = nullptr;             // does not vary, no effects; null: zero
  const BinaryExpr* comparison = nullptr;  // of the condition
  bool is_left = true;                     // the variable stands left in it
  Extent step;
  bool is_unsigned = false;  // the comparison is one of unsigned numbers

  bool in_condition = false;  // the condition steps the variable behind the comparison

  // The variable is a pointer-to-shared, and the bound another one.
  bool walks() const { return variable->type.is_pointer_to_shared(); }
};

// The comparison and the step of while (variable-- relation bound); without variable: it is of another kind.
CountedLoop counted_down(const Expr* condition);
// Completes a loop of which variable and step are known; "" or why it is no counted loop. `values`: of head
// and body.
std::string_view complete(CountedLoop& loop, const Expr* condition, const LoopValues& values,
                          const BodyFacts& facts, const Target& target);

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Expressions without what stands around them.
#pragma once
#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

// The part that parentheses and __extension__ stand around.
inline const Expr* plain_part(const Expr* expr) {
  for (;;) {
    if (const auto* paren = cast_if<ParenExpr>(expr))
      expr = paren->inner();
    else if (const auto* unary = cast_if<UnaryExpr>(expr);
             unary != nullptr && unary->op == UnaryOp::kExtension)
      expr = unary->operand();
    else
      return expr;
  }
}

}  // namespace upc2c

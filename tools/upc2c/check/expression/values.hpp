// SPDX-License-Identifier: BSD-3-Clause
// Expressions that are no objects by their form.
#pragma once
#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

// A number, or what an operator computes: no lvalue in any C, whatever its operands are.
inline bool is_value_of_operator(const Expr& expr) {
  const Expr* inner = &expr;
  while (const auto* paren = cast_if<ParenExpr>(inner)) inner = paren->inner();
  switch (inner->kind) {
    case NodeKind::kAssign:
    case NodeKind::kBinary:
    case NodeKind::kConditional:
    case NodeKind::kCast:
    case NodeKind::kNumber:
    case NodeKind::kCharacter:
    case NodeKind::kSizeQuery:
      return true;
    case NodeKind::kUnary:
      break;
    default:
      return false;
  }
  switch (as<UnaryExpr>(inner)->op) {
    case UnaryOp::kDereference:
    case UnaryOp::kReal:
    case UnaryOp::kImag:
      return false;
    case UnaryOp::kExtension:
      return is_value_of_operator(*as<UnaryExpr>(inner)->operand());
    default:
      return true;
  }
}

}  // namespace upc2c

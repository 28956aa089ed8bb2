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

// Whether the message that an expression is a value would be the second one: for -- -- 1, where -- 1 has it.
inline bool is_of_a_value(const Expr& expr) {
  const Expr* inner = &expr;
  while (const auto* paren = cast_if<ParenExpr>(inner)) inner = paren->inner();
  if (const auto* assign = cast_if<AssignExpr>(inner)) return is_value_of_operator(*assign->left());
  const auto* unary = cast_if<UnaryExpr>(inner);
  if (unary == nullptr) return false;
  switch (unary->op) {
    case UnaryOp::kAddress:
    case UnaryOp::kPreIncrement:
    case UnaryOp::kPreDecrement:
    case UnaryOp::kPostIncrement:
    case UnaryOp::kPostDecrement:
      return is_value_of_operator(*unary->operand());
    default:
      return false;
  }
}

}  // namespace upc2c

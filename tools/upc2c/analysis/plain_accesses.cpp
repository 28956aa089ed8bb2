// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/analysis/plain_accesses.hpp"

#include "tools/upc2c/analysis/walk.hpp"
#include "tools/upc2c/ast/plain_part.hpp"
#include "tools/upc2c/ast/stmt.hpp"

namespace upc2c {

PlainAccesses::PlainAccesses(const Node* body) {
  for_each_node(body, [this](const Node& node) {
    if (const auto* statement = cast_if<ExprStmt>(&node);
        statement != nullptr && statement->value() != nullptr)
      effect(statement->value());
  });
}

void PlainAccesses::effect(const Expr* expr) {
  expr = plain_part(expr);
  if (expr->use != Use::kDiscarded) return;
  if (const auto* binary = cast_if<BinaryExpr>(expr); binary != nullptr && binary->op == BinaryOp::kComma) {
    effect(binary->left());
    effect(binary->right());
  } else if (const auto* assign = cast_if<AssignExpr>(expr)) {
    const Expr* left = plain_part(assign->left());
    targets_.insert(left);
    if (left->type.is_shared() || assign->compound) operand(assign->right());
  } else if (const auto* unary = cast_if<UnaryExpr>(expr); unary != nullptr &&
                                                           unary->op >= UnaryOp::kPreIncrement &&
                                                           unary->op <= UnaryOp::kPostDecrement) {
    targets_.insert(plain_part(unary->operand()));
  }
}

void PlainAccesses::operand(const Expr* expr) {
  expr = plain_part(expr);
  if (expr->is_shared_access()) plain_.insert(expr);
  if (const auto* binary = cast_if<BinaryExpr>(expr)) {
    if (binary->op != BinaryOp::kAdd && binary->op != BinaryOp::kSubtract &&
        binary->op != BinaryOp::kMultiply && !(binary->op == BinaryOp::kDivide && expr->type.is_floating()))
      return;
    operand(binary->left());
    operand(binary->right());
  } else if (const auto* unary = cast_if<UnaryExpr>(expr);
             unary != nullptr && (unary->op == UnaryOp::kPlus || unary->op == UnaryOp::kMinus)) {
    operand(unary->operand());
  } else if (const auto* cast = cast_if<CastExpr>(expr); cast != nullptr && cast->type.is_arithmetic()) {
    operand(cast->operand());
  }
}

}  // namespace upc2c

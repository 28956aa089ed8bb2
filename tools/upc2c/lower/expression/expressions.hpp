// SPDX-License-Identifier: BSD-3-Clause
// Expressions. The text of an expression that is written anew is a primary expression, so that it stands
// wherever the expression stood.
#pragma once
#include <string>

#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

struct Lower;

class ExpressionLowering {
 public:
  explicit ExpressionLowering(Lower& lower) : lower_(lower) {}

  // In its context: its value converted to `target` if it is read.
  std::string text(const Expr* expr);
  // Its value converted to another type than its context's.
  std::string value(const Expr* expr, QualType to);
  // As a condition: an expression that C compares with zero.
  std::string condition(const Expr* expr);
  // Its value, or of an lvalue that is not read its C text, before any conversion to a pointer-to-shared.
  std::string unconverted(const Expr* expr);
  // The type of that value.
  QualType natural(const Expr* expr) const;

 private:
  std::string by_kind(const Expr* expr);
  std::string name(const NameExpr* expr);
  std::string unary(const UnaryExpr* expr);
  std::string binary(const BinaryExpr* expr);
  std::string conditional(const ConditionalExpr* expr);
  std::string cast(const CastExpr* expr);
  // The tokens with conditions in the places of these parts.
  std::string with_conditions(const Expr* expr, const Expr* first, const Expr* second = nullptr);

  Lower& lower_;
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Expressions by precedence: from the comma down to unary operators and casts.
#pragma once
#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Grammar;

class ExpressionParser {
 public:
  explicit ExpressionParser(Grammar& grammar) : g_(grammar) {}

  Expr* comma();
  Expr* assignment();
  // A conditional expression: what C's grammar calls a constant expression, too.
  Expr* conditional();
  // A unary expression or a cast.
  Expr* cast();

 private:
  Expr* binary(unsigned lowest);
  Expr* unary();
  Expr* unary_operator(UnaryOp op);
  Expr* size_query();
  Expr* label_address();
  Expr* cast_or_literal();

  Grammar& g_;
};

}  // namespace upc2c

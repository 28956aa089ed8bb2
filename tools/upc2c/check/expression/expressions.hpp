// SPDX-License-Identifier: BSD-3-Clause
// Types of expressions: checks those of names, casts, conditional and GNU's expressions, and hands the others
// to operators, calls, subobjects and size_queries.
#pragma once
#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

class Expressions {
 public:
  explicit Expressions(Check& check) : c_(check) {}

  // Checks the expression and notes what its context does with it.
  void check(Expr& expr, Use use);
  // The same for an expression that is checked already, for another use than it was checked for.
  void set_use(Expr& expr, Use use);
  // For its value: returns the type after lvalue conversion and decay, which is also its `target`.
  QualType value(Expr& expr);
  // For its value, which a condition compares with zero.
  void condition(Expr& expr);

 private:
  void dispatch(Expr& expr, Use use);
  void name(NameExpr& expr);
  void predefined_name(NameExpr& expr);
  void paren(ParenExpr& expr, Use use);
  void conditional(ConditionalExpr& expr);
  void cast(CastExpr& expr);
  void compound_literal(CompoundLiteral& expr, Use use);
  void statement_expr(StatementExpr& expr);
  void generic(GenericExpr& expr, Use use);
  void va_arg_expr(VaArgExpr& expr);
  void choose(ChooseExpr& expr, Use use);
  void same_as(Expr& expr, const Expr& from);

  Check& c_;
};

}  // namespace upc2c

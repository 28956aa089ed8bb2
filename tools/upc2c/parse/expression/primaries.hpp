// SPDX-License-Identifier: BSD-3-Clause
// Primary expressions, those with a keyword of their own, and what may follow: calls, subscripts, members.
#pragma once
#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Grammar;

class PrimaryParser {
 public:
  explicit PrimaryParser(Grammar& grammar) : g_(grammar) {}

  Expr* primary();
  // Reads the postfix operators behind an expression that begins at that token.
  Expr* postfix(Expr* base, TokenIndex begin);

 private:
  Expr* literal(NodeKind kind);
  Expr* name();
  Expr* parenthesised();
  Expr* generic();
  Expr* va_arg_expr();
  Expr* offsetof_expr();
  Expr* types_compatible();
  Expr* choose_expr();
  Expr* call(Expr* callee, TokenIndex begin);
  Expr* argument(bool of_builtin);
  Expr* member(Expr* base, TokenIndex begin, bool arrow);
  Expr* error(std::string_view what);

  Grammar& g_;
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Initialisers with designators.
#pragma once
#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Grammar;

class InitializerParser {
 public:
  explicit InitializerParser(Grammar& grammar) : g_(grammar) {}

  // A list in braces or an assignment expression.
  Expr* parse();
  InitList* list();

 private:
  Expr* item();
  Expr* designator();

  Grammar& g_;
};

}  // namespace upc2c

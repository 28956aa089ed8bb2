// SPDX-License-Identifier: BSD-3-Clause
// Initialisers of objects with static storage where UPC is involved. They are evaluated before main, by the
// start-up code: any expression without side effects will do for shared objects and for pointers-to-shared,
// and other private objects need constants, as in C.
#pragma once
#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {

struct Check;

class StaticValues {
 public:
  explicit StaticValues(Check& check) : c_(check) {}

  // `init` is the checked initialiser of the symbol. Private C is the C compiler's to judge.
  void check(const Expr& init, const Symbol& symbol);

 private:
  // Reports the first part that cannot be evaluated then; false if there was one.
  bool evaluable(const Node* node, const Symbol& symbol, bool constant);
  bool evaluable_name(const NameExpr& name, const Symbol& symbol);
  bool refuse(const Expr& part, const Symbol& symbol, std::string_view why);

  Check& c_;
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <unordered_set>

#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

// The accesses whose values only go into sums and products that are stored, or are written by statements.
class PlainAccesses {
 public:
  explicit PlainAccesses(const Node* body);

  bool is_plain(const Expr* access) const { return plain_.count(access) != 0; }
  // Whether the access is one by a statement: `a[i] = value;`.
  bool is_statement(const Expr* access) const { return targets_.count(access) != 0; }

 private:
  void effect(const Expr* expr);
  void operand(const Expr* expr);

  std::unordered_set<const Expr*> plain_, targets_;
};

}  // namespace upc2c

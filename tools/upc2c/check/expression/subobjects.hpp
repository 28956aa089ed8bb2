// SPDX-License-Identifier: BSD-3-Clause
// Elements of arrays and vectors, and what a pointer points to with a subscript; members of structures.
#pragma once
#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

class Subobjects {
 public:
  explicit Subobjects(Check& check) : c_(check) {}

  void index(IndexExpr& expr);
  void member(MemberExpr& expr);

 private:
  Check& c_;
};

}  // namespace upc2c

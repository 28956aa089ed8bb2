// SPDX-License-Identifier: BSD-3-Clause
// Operators on pointers-to-shared: sums, differences, comparisons.
#pragma once
#include <string>

#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

struct Lower;

class PointerArithmetic {
 public:
  explicit PointerArithmetic(Lower& lower) : lower_(lower) {}

  std::string binary(const BinaryExpr* expr);
  // A pointer of this type moved by `steps` objects of its pointee, C text.
  std::string moved(const std::string& pointer, QualType type, const std::string& steps, bool negative);
  // a - b in ultimate elements, of any operator.
  std::string difference(const BinaryExpr* expr);

 private:
  std::string equality(const BinaryExpr* expr);

  Lower& lower_;
};

}  // namespace upc2c

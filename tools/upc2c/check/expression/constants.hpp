// SPDX-License-Identifier: BSD-3-Clause
// Values that are known when translating: of numbers and characters, and of operators on integers.
#pragma once
#include <optional>
#include <string>

#include "tools/upc2c/ast/expr.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

class Constants {
 public:
  __extension__ using Integer = __int128;

  explicit Constants(Check& check) : c_(check) {}

  // Type, category and value of literals.
  void number(Literal& literal);
  void character(Literal& literal);
  void string(Literal& literal);

  // Sets the value of an expression of integer type, wrapped to the type.
  void set(Expr& expr, Integer value);
  // If operands are known: the value of an operator, or of a conversion to an arithmetic type.
  void unary(UnaryExpr& expr);
  void binary(BinaryExpr& expr);
  void convert(Expr& expr, const Expr& operand);

  // The integer that is known, also through parentheses.
  static std::optional<Integer> integer(const Expr* expr);
  Integer wrap(Integer value, QualType type) const;
  static std::string decimal(Integer value);

 private:
  void floating(Literal& literal, std::string_view text);

  Check& c_;
};

}  // namespace upc2c

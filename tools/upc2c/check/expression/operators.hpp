// SPDX-License-Identifier: BSD-3-Clause
// Unary and binary operators and assignments, with the rules of arithmetic on pointers-to-shared and their
// comparison.
#pragma once
#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

class Operators {
 public:
  explicit Operators(Check& check) : c_(check) {}

  // `use`: what the context does with the result.
  void unary(UnaryExpr& expr, Use use);
  void binary(BinaryExpr& expr, Use use);
  void assign(AssignExpr& expr);
  // Whether an integer may be added to a pointer-to-shared of this type: its pointee has a size.
  bool check_arithmetic(const Mark& at, const Expr& operand, QualType pointer);
  // Where an integer is needed: the C compiler may take a pointer-to-shared for one. `where`: "a subscript".
  void refuse_pointer_to_shared(const Expr& expr, std::string_view where);
  // The type of a ?: b : c whose values have been checked.
  QualType common_type(ConditionalExpr& expr, Expr& then_value, Expr& else_value);

 private:
  void address(UnaryExpr& expr);
  void dereference(UnaryExpr& expr);
  void increment(UnaryExpr& expr);
  void complex_part(UnaryExpr& expr, QualType value);
  void additive(BinaryExpr& expr, QualType left, QualType right);
  void subtract_pointers(BinaryExpr& expr, QualType left, QualType right);
  void compare(BinaryExpr& expr, QualType left, QualType right);
  bool mixed(Diag diag, const Mark& at, std::string_view op, const Expr& left, const Expr& right);
  void arithmetic(BinaryExpr& expr, QualType left, QualType right);
  Diagnostic& report(Diag diag, const Mark& at, const Expr& left, const Expr& right, std::string_view pattern,
                     std::initializer_list<std::string_view> arguments);

  Check& c_;
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/expression/pointer_arithmetic.hpp"

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {

std::string PointerArithmetic::binary(const BinaryExpr* expr) {
  switch (expr->op) {
    case BinaryOp::kAdd:
      return lower_.addresses.moved(expr, expr->type);
    case BinaryOp::kSubtract: {
      if (expr->type.is_pointer()) return lower_.addresses.moved(expr, expr->type);
      const Extent count = element_count(expr->left()->target->inner).value_or(Extent{1, false});
      std::string elements = difference(expr);
      if (!count.threads && count.factor <= 1) return elements;
      return "(" + elements + " / ((ptrdiff_t)" + std::to_string(count.factor) +
             (count.threads ? " * (ptrdiff_t)upcr_threads()" : "") + "))";
    }
    case BinaryOp::kEqual:
    case BinaryOp::kNotEqual:
      return equality(expr);
    default:
      return "(" + difference(expr) + " " + std::string(spelling(expr->op)) + " 0)";
  }
}

std::string PointerArithmetic::moved(const std::string& pointer, QualType type, const std::string& steps,
                                     bool negative) {
  const QualType element = type->inner.ultimate_element();
  const Extent count = element_count(type->inner).value_or(Extent{1, false});
  Sum sum;
  if (steps == "1" && !count.threads)
    sum.add(negative ? -count.factor : count.factor);
  else
    sum.add(steps, negative ? -count.factor : count.factor, count.threads ? "(ptrdiff_t)upcr_threads()" : "");
  const std::string size = lower_.sizes.of(element);
  if (element.block == 0) return call("upcr_add_psharedI", {pointer, size, sum.text()});
  if (element.block == 1) return call("upcr_add_pshared1", {pointer, size, sum.text()});
  return call("upcr_add_shared", {pointer, size, sum.text(), std::to_string(element.block)});
}

std::string PointerArithmetic::difference(const BinaryExpr* expr) {
  const QualType element = expr->left()->target->inner.ultimate_element();
  const std::string left = lower_.expressions.text(expr->left()),
                    right = lower_.expressions.text(expr->right());
  const std::string size = lower_.sizes.of(element);
  if (element.block == 0) return call("upcr_sub_psharedI", {left, right, size});
  if (element.block == 1) return call("upcr_sub_pshared1", {left, right, size});
  return call("upcr_sub_shared", {left, right, size, std::to_string(element.block)});
}

std::string PointerArithmetic::equality(const BinaryExpr* expr) {
  const Expr *left = expr->left(), *right = expr->right();
  const std::string negation = expr->op == BinaryOp::kNotEqual ? "!" : "";
  std::string result;
  if (left->null_constant || right->null_constant) {
    const Expr* pointer = left->null_constant ? right : left;
    result =
        call("upcr_isnull" + std::string(kind_suffix(pointer->target)), {lower_.expressions.text(pointer)});
  } else {
    result = call(
        "upcr_isequal" + std::string(kind_suffix(left->target)) + std::string(kind_suffix(right->target)),
        {lower_.expressions.text(left), lower_.expressions.text(right)});
  }
  return negation.empty() ? result : "(" + negation + result + ")";
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/loop/counted.hpp"

#include "tools/upc2c/analysis/references.hpp"
#include "tools/upc2c/type/compat.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

std::string_view check_variable(const Symbol& variable, const BodyFacts& facts) {
  const QualType type = variable.type;
  if (variable.kind != SymbolKind::kVariable && variable.kind != SymbolKind::kParameter)
    return "its step changes no variable";
  if (variable.static_storage && (facts.calls || facts.orders || facts.writes_pointees))
    return "the variable of the loop is a global one, which calls or stores through pointers may change";
  if (type.has(kVolatile) || type.has(kAtomic) || type.is_shared())
    return "the variable of the loop is volatile, atomic or shared";
  const bool walks = type.is_pointer_to_shared() && !variable.static_storage && !type->inner.is_void() &&
                     element_count(type->inner).has_value();
  if (!walks && (type.kind() < TypeKind::kInt || type.kind() > TypeKind::kULongLong))
    return "the variable of the loop has another type than int, long and their unsigned forms";
  if (variable.address_taken) return "the address of the variable of the loop is taken";
  if (facts.assigned.count(&variable) != 0) return "the body changes the variable of the loop";
  return {};
}

BinaryOp mirrored(BinaryOp relation) {
  switch (relation) {
    case BinaryOp::kLess:
      return BinaryOp::kGreater;
    case BinaryOp::kLessEqual:
      return BinaryOp::kGreaterEqual;
    case BinaryOp::kGreater:
      return BinaryOp::kLess;
    case BinaryOp::kGreaterEqual:
      return BinaryOp::kLessEqual;
    default:
      return relation;
  }
}

bool read_condition(CountedLoop& loop, const Expr* condition) {
  if (loop.in_condition) return true;
  const auto* comparison = cast_if<BinaryExpr>(plain_part(condition));
  if (comparison == nullptr || !is_comparison(comparison->op) || comparison->op == BinaryOp::kEqual)
    return false;
  const bool left = symbol_of(comparison->left()) == loop.variable;
  if (!left && symbol_of(comparison->right()) != loop.variable) return false;
  loop.comparison = comparison;
  loop.is_left = left;
  loop.relation = left ? comparison->op : mirrored(comparison->op);
  loop.bound = left ? comparison->right() : comparison->left();
  return true;
}

// Whether stepping leads to the bound, and by which steps without passing the end of the type.
bool reaches_bound(const CountedLoop& loop) {
  const bool up = loop.step.factor > 0,
             single = loop.step == Extent{1, false} || loop.step == Extent{-1, false};
  switch (loop.relation) {
    case BinaryOp::kLess:
      return up && (single || !loop.is_unsigned);
    case BinaryOp::kGreater:
      return !up && (single || !loop.is_unsigned);
    case BinaryOp::kLessEqual:
      return up && !loop.is_unsigned;
    case BinaryOp::kGreaterEqual:
      return !up && !loop.is_unsigned;
    default:
      return single && !loop.is_unsigned;
  }
}

// Of a loop that a pointer-to-shared walks through: the bound points to elements of the same layout.
std::string_view complete_walk(const CountedLoop& loop, const LoopValues& values) {
  const QualType pointee = loop.variable->type->inner;
  const auto end = pointed_element(loop.bound, values);
  const auto is_same = [&](QualType other) {
    const QualType a = pointee.ultimate_element(), b = other.ultimate_element();
    return a.unqualified() == b.unqualified() && a.block == b.block;
  };
  if (!end || end->index.factor.factor != 0) return "its bound may change, or has effects";
  if (!loop.bound->target.is_pointer_to_shared() || !is_same(loop.bound->target->inner) ||
      !is_same(end->type))
    return "its condition compares pointers of different types";
  const bool whole = loop.relation != BinaryOp::kNotEqual || element_count(pointee) == Extent{1, false};
  return whole && reaches_bound(loop) ? "" : "its steps may pass the bound";
}

}  // namespace

CountedLoop counted_down(const Expr* condition) {
  CountedLoop loop;
  const Expr* counted = plain_part(condition);
  loop.relation = BinaryOp::kNotEqual;
  if (const auto* comparison = cast_if<BinaryExpr>(counted)) {
    loop.relation = comparison->op;
    if (comparison->op != BinaryOp::kGreater && comparison->op != BinaryOp::kGreaterEqual &&
        comparison->op != BinaryOp::kNotEqual)
      return loop;
    loop.comparison = comparison;
    loop.bound = comparison->right();
    counted = plain_part(comparison->left());
  }
  const auto* unary = cast_if<UnaryExpr>(counted);
  if (unary == nullptr || unary->op != UnaryOp::kPostDecrement || unary->type.is_pointer()) return loop;
  loop.variable = symbol_of(unary->operand());
  loop.step = {-1, false};
  loop.in_condition = true;
  return loop;
}

std::string_view complete(CountedLoop& loop, const Expr* condition, const LoopValues& values,
                          const BodyFacts& facts, const Target& target) {
  if (loop.variable == nullptr) return "its step is not one of a variable by a constant";
  if (const std::string_view reason = check_variable(*loop.variable, facts); !reason.empty()) return reason;
  if (condition == nullptr || !read_condition(loop, condition))
    return "its condition does not compare the variable of the loop";
  if (loop.walks()) return complete_walk(loop, values);
  const QualType type = loop.variable->type.unqualified();
  if (loop.bound == nullptr) {
    loop.is_unsigned = is_unsigned(type, target);
    return {};
  }
  if (!values.is_invariant(loop.bound)) return "its bound may change, or has effects";
  const QualType compared = loop.bound->target.unqualified();
  loop.is_unsigned = is_unsigned(type, target);
  // A bound of the other sign would be compared as an unsigned number.
  if (is_unsigned(compared, target) != loop.is_unsigned || width_of(compared) < width_of(type))
    return "its condition compares a signed with an unsigned number";
  if (!reaches_bound(loop)) return "its steps may pass the bound";
  return {};
}

}  // namespace upc2c

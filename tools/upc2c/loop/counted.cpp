// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/loop/counted.hpp"

#include "tools/upc2c/type/compat.hpp"

namespace upc2c {
namespace {

const Symbol* symbol_of(const Expr* expr) {
  const auto* name = cast_if<NameExpr>(plain_part(expr));
  return name == nullptr ? nullptr : name->symbol;
}

// variable op= amount
void step_by(CountedLoop& loop, const Expr* variable, const Expr* amount, bool down) {
  auto step = LoopValues::constant(amount);
  if (!step || step->factor == 0) return;
  if (down) step->factor = -step->factor;
  loop.variable = symbol_of(variable);
  loop.step = *step;
}

// variable = variable + amount, amount + variable, variable - amount
void step_by_sum(CountedLoop& loop, const AssignExpr& assign) {
  const auto* sum = cast_if<BinaryExpr>(plain_part(assign.right()));
  const Symbol* variable = symbol_of(assign.left());
  if (sum == nullptr || variable == nullptr) return;
  if (sum->op != BinaryOp::kAdd && sum->op != BinaryOp::kSubtract) return;
  if (symbol_of(sum->left()) == variable)
    step_by(loop, assign.left(), sum->right(), sum->op == BinaryOp::kSubtract);
  else if (sum->op == BinaryOp::kAdd && symbol_of(sum->right()) == variable)
    step_by(loop, assign.left(), sum->left(), false);
}

std::string_view check_variable(const Symbol& variable, const BodyFacts& facts) {
  const QualType type = variable.type;
  if (variable.kind != SymbolKind::kVariable && variable.kind != SymbolKind::kParameter)
    return "its step changes no variable";
  if (variable.static_storage && (facts.calls || facts.orders || facts.writes_pointees))
    return "the variable of the loop is a global one, which calls or stores through pointers may change";
  if (type.has(kVolatile) || type.has(kAtomic) || type.is_shared())
    return "the variable of the loop is volatile, atomic or shared";
  if (type.kind() < TypeKind::kInt || type.kind() > TypeKind::kULongLong)
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
  const auto* comparison = cast_if<BinaryExpr>(plain_part(condition));
  if (comparison == nullptr || !is_comparison(comparison->op) || comparison->op == BinaryOp::kEqual)
    return false;
  const bool left = symbol_of(comparison->left()) == loop.variable;
  if (!left && symbol_of(comparison->right()) != loop.variable) return false;
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

}  // namespace

CountedLoop stepped_by(const Expr* step) {
  CountedLoop loop;
  if (step == nullptr) return loop;
  step = plain_part(step);
  if (const auto* unary = cast_if<UnaryExpr>(step)) {
    if (unary->op == UnaryOp::kPreIncrement || unary->op == UnaryOp::kPostIncrement)
      loop.step = {1, false};
    else if (unary->op == UnaryOp::kPreDecrement || unary->op == UnaryOp::kPostDecrement)
      loop.step = {-1, false};
    if (loop.step.factor != 0) loop.variable = symbol_of(unary->operand());
  } else if (const auto* assign = cast_if<AssignExpr>(step)) {
    if (!assign->compound)
      step_by_sum(loop, *assign);
    else if (assign->op == BinaryOp::kAdd || assign->op == BinaryOp::kSubtract)
      step_by(loop, assign->left(), assign->right(), assign->op == BinaryOp::kSubtract);
  }
  return loop;
}

std::string_view complete(CountedLoop& loop, const Expr* condition, const LoopValues& values,
                          const BodyFacts& facts, const Target& target) {
  if (loop.variable == nullptr) return "its step is not one of a variable by a constant";
  if (const std::string_view reason = check_variable(*loop.variable, facts); !reason.empty()) return reason;
  if (condition == nullptr || !read_condition(loop, condition))
    return "its condition does not compare the variable of the loop";
  if (!values.is_invariant(loop.bound)) return "its bound may change, or has effects";
  const QualType type = loop.variable->type.unqualified(), compared = loop.bound->target.unqualified();
  loop.is_unsigned = is_unsigned(type, target);
  // A bound of the other sign would be compared as an unsigned number.
  if (is_unsigned(compared, target) != loop.is_unsigned || width_of(compared) < width_of(type))
    return "its condition compares a signed with an unsigned number";
  if (!reaches_bound(loop)) return "its steps may pass the bound";
  return {};
}

}  // namespace upc2c

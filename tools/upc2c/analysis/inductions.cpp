// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/analysis/inductions.hpp"

#include <algorithm>

#include "tools/upc2c/analysis/always.hpp"
#include "tools/upc2c/analysis/linear.hpp"
#include "tools/upc2c/analysis/walk.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

Step stepped(const Expr* expr, const Expr* variable, const Expr* amount, bool down) {
  auto step = LoopValues::constant(amount);
  if (!step || step->factor == 0) return {};
  if (down) step->factor = -step->factor;
  return {symbol_of(variable), *step, expr};
}

// variable = variable + amount, amount + variable, variable - amount
Step stepped_by_sum(const AssignExpr& assign) {
  const auto* sum = cast_if<BinaryExpr>(plain_part(assign.right()));
  const Symbol* variable = symbol_of(assign.left());
  if (sum == nullptr || variable == nullptr) return {};
  if (sum->op != BinaryOp::kAdd && sum->op != BinaryOp::kSubtract) return {};
  if (symbol_of(sum->left()) == variable)
    return stepped(&assign, assign.left(), sum->right(), sum->op == BinaryOp::kSubtract);
  if (sum->op == BinaryOp::kAdd && symbol_of(sum->right()) == variable)
    return stepped(&assign, assign.left(), sum->left(), false);
  return {};
}

bool may_be_induction(const Symbol& symbol, const BodyFacts& facts) {
  const QualType type = symbol.type;
  if (symbol.kind != SymbolKind::kVariable && symbol.kind != SymbolKind::kParameter) return false;
  if (symbol.static_storage || symbol.address_taken || facts.declared.count(&symbol) != 0) return false;
  if (type.is_shared() || type.has(kVolatile) || type.has(kAtomic)) return false;
  if (type.is_pointer_to_shared()) return !type->inner.is_void() && element_count(type->inner).has_value();
  return type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kULongLong;
}

}  // namespace

const Symbol* symbol_of(const Expr* expr) {
  const auto* name = cast_if<NameExpr>(plain_part(expr));
  return name == nullptr ? nullptr : name->symbol;
}

Step step_of(const Expr* expr) {
  if (expr == nullptr) return {};
  expr = plain_part(expr);
  if (const auto* unary = cast_if<UnaryExpr>(expr)) {
    if (unary->op == UnaryOp::kPreIncrement || unary->op == UnaryOp::kPostIncrement)
      return {symbol_of(unary->operand()), {1, false}, expr};
    if (unary->op == UnaryOp::kPreDecrement || unary->op == UnaryOp::kPostDecrement)
      return {symbol_of(unary->operand()), {-1, false}, expr};
  } else if (const auto* assign = cast_if<AssignExpr>(expr)) {
    if (!assign->compound) return stepped_by_sum(*assign);
    if (assign->op == BinaryOp::kAdd || assign->op == BinaryOp::kSubtract)
      return stepped(expr, assign->left(), assign->right(), assign->op == BinaryOp::kSubtract);
  }
  return {};
}

std::vector<const Expr*> parts_of_step(const Expr* step) {
  std::vector<const Expr*> out, rest;
  if (step != nullptr) rest.push_back(step);
  while (!rest.empty()) {
    const Expr* part = plain_part(rest.back());
    rest.pop_back();
    if (const auto* comma = cast_if<BinaryExpr>(part); comma != nullptr && comma->op == BinaryOp::kComma) {
      rest.push_back(comma->right());
      rest.push_back(comma->left());
    } else {
      out.push_back(part);
    }
  }
  return out;
}

void Inductions::find(const std::vector<Step>& head, const Node* body, const BodyFacts& facts) {
  const auto add = [this](const Step& step, bool in_body) {
    const auto same = std::find_if(others_.begin(), others_.end(),
                                   [&](const Induction& i) { return i.symbol == step.variable; });
    if (same == others_.end()) {
      others_.push_back({step.variable, step.amount, {}});
      if (in_body) others_.back().steps.push_back(step);
    } else if (const auto total = sum(same->step, step.amount); total && in_body && !same->steps.empty()) {
      same->step = *total;
      same->steps.push_back(step);
    }
  };
  for (const Step& step : head) add(step, false);
  const auto always = always_evaluated(body);
  for_each_node(body, [&](const Node& node) {
    if (always.count(&node) == 0) return;
    const auto* expr = static_cast<const Expr*>(&node);
    if (expr->is(NodeKind::kParen)) return;  // what is in it counts
    if (const Step step = step_of(expr); step.variable != nullptr && !is_main(step.variable)) add(step, true);
  });
  // All changes are steps, and they do not cancel each other out.
  std::erase_if(others_, [&](const Induction& induction) {
    const auto changes = facts.assigned.find(induction.symbol);
    const std::size_t known = std::max<std::size_t>(induction.steps.size(), 1);
    return changes == facts.assigned.end() || changes->second != known || induction.step.factor == 0 ||
           !may_be_induction(*induction.symbol, facts);
  });
}

const Induction* Inductions::find(const Symbol* symbol) const {
  if (is_main(symbol)) return &main_;
  for (const Induction& induction : others_)
    if (induction.symbol == symbol) return &induction;
  return nullptr;
}

const Step* Inductions::step(const Expr* expr) const {
  for (const Induction& induction : others_)
    for (const Step& step : induction.steps)
      if (step.expr == expr) return &step;
  return nullptr;
}

}  // namespace upc2c

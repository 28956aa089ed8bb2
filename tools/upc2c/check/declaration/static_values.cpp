// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/declaration/static_values.hpp"

#include <algorithm>

#include "tools/upc2c/check/check.hpp"

namespace upc2c {
namespace {

// Library functions that only compute.
bool is_pure(std::string_view function) {
  static constexpr std::string_view kPure[] = {"upc_threadof",   "upc_phaseof",      "upc_addrfield",
                                               "upc_resetphase", "upc_affinitysize", "upc_cast"};
  return function.starts_with("__builtin_") ||
         std::find(std::begin(kPure), std::end(kPure), function) != std::end(kPure);
}

bool is_upc(const Expr& expr) {
  return expr.is(NodeKind::kThreads) || expr.is(NodeKind::kMythread) || expr.type.is_shared() ||
         expr.type.is_pointer_to_shared() || expr.target.is_pointer_to_shared();
}

// Operands that are not evaluated do not count.
bool evaluated(const Node* node) {
  return node != nullptr && node->is_expr() && !node->is(NodeKind::kSizeQuery) &&
         !node->is(NodeKind::kOffsetof) && !node->is(NodeKind::kTypesCompatible) &&
         !node->is(NodeKind::kRangeDesignator);
}

bool mentions_upc(const Node* node) {
  if (!evaluated(node)) return node != nullptr && node->is(NodeKind::kSizeQuery) && node->has_upc;
  if (is_upc(*as<Expr>(node))) return true;
  const auto parts = node->children();
  return std::any_of(parts.begin(), parts.end(), mentions_upc);
}

bool has_error_at(const Diagnostics& diagnostics, TokenRange range) {
  return std::any_of(diagnostics.all().begin(), diagnostics.all().end(), [&](const Diagnostic& d) {
    return d.severity == Severity::kError && d.mark.caret >= range.begin && d.mark.caret < range.end;
  });
}

}  // namespace

void StaticValues::check(const Expr& init, const Symbol& symbol) {
  const bool upc_object = mentions_shared(symbol.type);
  if (init.has_error || (!upc_object && !mentions_upc(&init))) return;
  evaluable(&init, symbol, !upc_object);
}

bool StaticValues::refuse(const Expr& part, const Symbol& symbol, std::string_view why) {
  if (has_error_at(c_.diagnostics, part.tokens)) return false;
  c_.report(Diag::kIniConst, Mark(part.tokens), "the initialiser of '%' is evaluated before main: %",
            {symbol.text, why});
  return false;
}

bool StaticValues::evaluable_name(const NameExpr& name, const Symbol& symbol) {
  const Symbol* used = name.symbol;
  if (used == nullptr || used->static_storage) return true;
  if (used->kind != SymbolKind::kVariable && used->kind != SymbolKind::kParameter) return true;
  return refuse(name, symbol, quoted(used->text) + " is automatic and does not exist then");
}

// `constant`: the object is private and holds no pointer-to-shared, so its value must be a constant.
bool StaticValues::evaluable(const Node* node, const Symbol& symbol, bool constant) {
  if (node != nullptr && node->is(NodeKind::kSizeQuery)) {
    const auto& size = *as<Expr>(node);
    if (!constant || !size.has_upc || size.value != nullptr) return true;
    return refuse(size, symbol, "this size is known at run time only, and must be a constant here");
  }
  if (!evaluated(node)) return true;
  const auto& expr = *as<Expr>(node);
  if (expr.value != nullptr || expr.has_error) return true;
  if (const auto* name = cast_if<NameExpr>(node); name != nullptr && !evaluable_name(*name, symbol))
    return false;
  if (const auto* call = cast_if<CallExpr>(node)) {
    const auto* callee = cast_if<NameExpr>(call->callee());
    if (callee == nullptr || !is_pure(c_.text(callee->name)))
      return refuse(expr, symbol, "no function can be called here; assign the value in main");
  }
  const auto* unary = cast_if<UnaryExpr>(node);
  if (node->is(NodeKind::kAssign) || node->is(NodeKind::kStatementExpr) ||
      (unary != nullptr && unary->op >= UnaryOp::kPreIncrement && unary->op <= UnaryOp::kPostDecrement))
    return refuse(expr, symbol, "this has a side effect; assign the value in main");
  if (constant && is_upc(expr))
    return refuse(expr, symbol, "this is known at run time only, and must be a constant here");
  if (const auto* generic = cast_if<GenericExpr>(node)) return evaluable(generic->chosen, symbol, constant);
  const auto parts = node->children();
  return std::all_of(parts.begin(), parts.end(),
                     [&](const Node* part) { return evaluable(part, symbol, constant); });
}

}  // namespace upc2c

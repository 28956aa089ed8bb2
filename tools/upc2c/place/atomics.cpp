// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/place/atomics.hpp"

#include <string_view>

#include "tools/upc2c/ast/plain_part.hpp"
#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {
namespace {

constexpr std::string_view kFamily = "bupc_atomic", kMode = "_relaxed";

}  // namespace

AtomicObject relaxed_atomic(const CallExpr& call) {
  const auto* callee = cast_if<NameExpr>(call.callee());
  if (callee == nullptr || callee->symbol == nullptr || callee->symbol->origin != Origin::kLibrary ||
      callee->symbol->kind != SymbolKind::kFunction || call.arguments().empty())
    return {};
  const std::string_view name = callee->symbol->text;
  if (!name.starts_with(kFamily) || !name.ends_with(kMode)) return {};
  const Expr* pointer = plain_part(static_cast<const Expr*>(call.arguments()[0]));
  if (const auto* address = cast_if<UnaryExpr>(pointer);
      address != nullptr && address->op == UnaryOp::kAddress && address->operand()->type.is_shared())
    return {plain_part(address->operand()), false};
  if (pointer->type.is_pointer_to_shared()) return {pointer, true};
  return {};
}

std::string private_operation(const CallExpr& atomic) {
  const std::string_view name = as<NameExpr>(atomic.callee())->symbol->text;
  return std::string(name.substr(0, name.size() - kMode.size())) + "_private";
}

}  // namespace upc2c

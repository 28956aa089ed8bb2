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

unsigned combined_bytes(const CallExpr& atomic) {
  std::string_view name = as<NameExpr>(atomic.callee())->symbol->text;
  name.remove_prefix(kFamily.size());
  name.remove_suffix(kMode.size());
  const std::size_t end = name.find('_');
  if (end == std::string_view::npos) return 0;
  const std::string_view type = name.substr(0, end), operation = name.substr(end + 1);
  if (operation != "fetchadd" && operation != "fetchand" && operation != "fetchor" && operation != "fetchxor")
    return 0;
  if (type == "I64" || type == "U64" || type == "X64" || type == "L" || type == "UL") return 8;
  return type == "I32" || type == "U32" || type == "X32" || type == "I" || type == "UI" ? 4 : 0;
}

std::string private_operation(const CallExpr& atomic) {
  const std::string_view name = as<NameExpr>(atomic.callee())->symbol->text;
  return std::string(name.substr(0, name.size() - kMode.size())) + "_private";
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/expression/calls.hpp"

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/place/atomics.hpp"

namespace upc2c {

std::string Calls::text(const CallExpr* expr) {
  std::string direct = query(expr);
  if (!direct.empty()) return direct;
  const AtomicObject on = relaxed_atomic(*expr);
  const std::string address = on ? lower_.private_runs.address(on.object) : "";
  if (lower_.later_updates.has(expr)) return lower_.later_updates.put(address);
  if (!address.empty())
    return lower_.splice.spliced(expr, [&](const Node* part) {
      if (part == expr->callee()) return private_operation(*expr);
      if (part == expr->arguments()[0]) return "(void *)(" + address + ")";
      return argument(lower_.splice.text(part));
    });
  // A name of the library may be a macro in upcr.h, of which a comma in braces would end an argument.
  return lower_.splice.spliced(expr, [&](const Node* part) {
    const std::string text = lower_.splice.text(part);
    return part == expr->callee() ? text : argument(text);
  });
}

std::string Calls::query(const CallExpr* expr) {
  const auto* callee = cast_if<NameExpr>(expr->callee());
  if (callee == nullptr || callee->symbol == nullptr || callee->symbol->origin != Origin::kLibrary ||
      expr->arguments().size() != 1)
    return {};
  const std::string_view name = callee->symbol->text;
  if (name != "upc_threadof" && name != "upc_phaseof" && name != "upc_addrfield") return {};
  const auto* pointer = static_cast<const Expr*>(expr->arguments()[0]);
  const QualType type = lower_.expressions.natural(pointer);
  if (!type.is_pointer_to_shared()) return {};
  return "((size_t)" +
         call("upcr" + std::string(name.substr(3)) + std::string(kind_suffix(type)),
              {lower_.expressions.unconverted(pointer)}) +
         ")";
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/expression/calls.hpp"

#include <algorithm>

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/diag/header_hints.hpp"
#include "tools/upc2c/type/compat.hpp"

namespace upc2c {

QualType Calls::callee_type(CallExpr& expr) {
  Expr& callee = *expr.callee();
  auto* name = cast_if<NameExpr>(&callee);
  if (name != nullptr && c_.scopes.find(name->name) == nullptr) {
    const std::string_view text = c_.text(name->name);
    if (text.starts_with("__")) {
      callee.type = callee.target = c_.types.unknown();
      return callee.type;
    }
    // A function of UPC's libraries has another name in C, and arguments that an int says nothing of.
    if (is_upc_header(header_of(text))) {
      c_.report(Diag::kUndeclared, callee.tokens.begin, "'%' is not declared%", {text, header_hint(text)});
      callee.type = callee.target = c_.types.unknown();
      return callee.type;
    }
    c_.report(Diag::kImplicitFunction, callee.tokens.begin,
              "'%' is called without a declaration; it is taken for a function that returns int%",
              {text, header_hint(text)});
    callee.type = callee.target = c_.types.function(c_.types.int_type(), {}, false, false);
    callee.category = Category::kFunction;
    return callee.type;
  }
  const QualType type = c_.expressions.value(callee);
  if (type.is_pointer() && type->inner.is_function()) return type->inner;
  return c_.types.unknown();
}

// Of a function with several types the one whose parameters have the types of the arguments, which have been
// checked. The C compiler also converts: then the type is not known here.
QualType Calls::overload(const CallExpr& expr, const Symbol& symbol) const {
  const auto given = expr.arguments();
  const auto fits = [&](QualType type) {
    if (type->variadic || type->parameters.size() != given.size()) return false;
    for (std::size_t i = 0; i < given.size(); i++) {
      const QualType argument = as<Expr>(given[i])->target;
      if (argument.is_unknown() || !compatible(type->parameters[i].unqualified(), argument.unqualified()))
        return false;
    }
    return true;
  };
  if (fits(symbol.type)) return symbol.type;
  const auto found = std::find_if(symbol.overloads.begin(), symbol.overloads.end(), fits);
  return found == symbol.overloads.end() ? c_.types.unknown() : *found;
}

void Calls::call(CallExpr& expr) {
  QualType type = callee_type(expr);
  const auto* name = cast_if<NameExpr>(expr.callee());
  const std::string_view text = name != nullptr ? c_.text(name->name) : std::string_view("the function");
  for (Node* argument : expr.arguments()) c_.expressions.value(*as<Expr>(argument));
  const Symbol* symbol = name != nullptr ? name->symbol : nullptr;
  if (symbol != nullptr && !symbol->overloads.empty()) {
    type = overload(expr, *symbol);
    if (!type.is_function()) return;
  }
  if (!type.is_function()) {
    if (name == nullptr || name->symbol != nullptr) check_callee(*expr.callee());
    return builtin(expr, text);
  }
  arguments(expr, *type.type, text);
  expr.type = type->inner.unqualified();
}

void Calls::check_callee(const Expr& callee) {
  if (callee.target.is_pointer_to_shared() || callee.type.is_shared() || callee.target.is_arithmetic() ||
      callee.target.is_record())
    c_.report(Diag::kCall, Mark(callee.tokens), "% is called, which is no function", {quoted(callee.type)});
}

void Calls::arguments(CallExpr& expr, const Type& function, std::string_view name) {
  const auto given = expr.arguments();
  if (!function.prototyped || expr.has_error) return;
  // upc_collective.h gives the collectives names of their own.
  if (name.starts_with("bupc_all_")) name.remove_prefix(1);
  if (given.size() < function.parameters.size() ||
      (given.size() > function.parameters.size() && !function.variadic)) {
    c_.report(Diag::kCall, Mark(expr.tokens), "'%' has % parameters, and this call % arguments",
              {name, std::to_string(function.parameters.size()), std::to_string(given.size())});
    return;
  }
  const auto* callee = cast_if<NameExpr>(expr.callee());
  const Symbol* symbol = callee == nullptr ? nullptr : callee->symbol;
  const bool library = symbol != nullptr && symbol->origin == Origin::kLibrary;
  for (std::size_t i = 0; i < function.parameters.size(); i++) {
    auto& argument = *as<Expr>(given[i]);
    if (library && c_.library.refuse_argument(argument, *symbol, i, function.parameters[i])) continue;
    c_.conversions.assign(argument, function.parameters[i], Mark(argument.tokens),
                          std::string(name) + ": argument " + std::to_string(i + 1));
  }
  if (symbol == nullptr || symbol->origin != Origin::kSystem) return;
  for (std::size_t i = function.parameters.size(); i < given.size(); i++)
    if (const auto* argument = as<Expr>(given[i]); argument->target.is_pointer_to_shared())
      c_.report(
            Diag::kPtsVariadic, Mark(argument->tokens),
            "'%' knows no pointers-to-shared; upc_threadof, upc_phaseof and upc_addrfield give its parts, "
            "bupc_dump_shared a text",
            {name})
          .label(Mark(argument->tokens), quoted(argument->target));
}

// A builtin function, or a call of what the checker does not know. A shared lvalue as an argument is read as
// everywhere. va_start and constant_p take no value of their argument, which may be a pointer-to-shared.
void Calls::builtin(CallExpr& expr, std::string_view name) {
  const auto arguments = expr.arguments();
  if (name.starts_with("__") && name != "__builtin_constant_p" && name != "__builtin_va_start")
    for (const Node* node : arguments)
      if (const auto* argument = cast_if<Expr>(node);
          argument != nullptr && argument->target.is_pointer_to_shared())
        c_.report(Diag::kShrBuiltin, Mark(argument->tokens),
                  "'%' works on private memory, and this is a pointer-to-shared", {name})
            .label(Mark(argument->tokens), quoted(argument->target));
  const auto pointer = [&](QualType to) { return c_.types.pointer_to(to); };
  switch (builtin_result(name)) {
    case 'i':
      expr.type = c_.types.int_type();
      break;
    case 'l':
      expr.type = c_.types.basic(TypeKind::kLong);
      break;
    case 'z':
      expr.type = c_.types.size_type();
      break;
    case 'v':
      expr.type = c_.types.void_type();
      break;
    case 'p':
      expr.type = pointer(c_.types.void_type());
      break;
    case 'c':
      expr.type = pointer(c_.types.char_type());
      break;
    case 'f':
      expr.type = c_.types.basic(TypeKind::kFloat);
      break;
    case 'd':
      expr.type = c_.types.basic(TypeKind::kDouble);
      break;
    case 'D':
      expr.type = c_.types.basic(TypeKind::kLongDouble);
      break;
    case 'b':
      expr.type = c_.types.basic(TypeKind::kBool);
      break;
    case 's':
      expr.type = c_.types.basic(TypeKind::kUShort);
      break;
    case 'u':
      expr.type = c_.types.basic(TypeKind::kUInt);
      break;
    case 'U':
      expr.type = c_.types.basic(TypeKind::kULong);
      break;
    case '1':
      if (!arguments.empty()) expr.type = as<Expr>(arguments[0])->target;
      break;
    case '*':  // what the first argument points to
      if (!arguments.empty() && as<Expr>(arguments[0])->target.is_pointer())
        expr.type = as<Expr>(arguments[0])->target->inner.unqualified();
      break;
    default:
      break;
  }
  if (name == "__builtin_constant_p" && !arguments.empty()) {
    // The C compiler may know more: only what is surely constant has a value here.
    if (Constants::integer(as<Expr>(arguments[0]))) c_.constants.set(expr, 1);
  } else if (name == "__builtin_expect" && !arguments.empty()) {
    if (const auto value = Constants::integer(as<Expr>(arguments[0]))) c_.constants.set(expr, *value);
  }
}

}  // namespace upc2c

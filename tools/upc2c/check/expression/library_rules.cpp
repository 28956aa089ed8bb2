// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/expression/library_rules.hpp"

#include <algorithm>

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/type/compat.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

std::string_view noun(QualType type) {
  return type.is_pointer_to_shared() ? "a pointer-to-shared"
         : type.is_pointer()         ? "a private pointer"
         : type.is_arithmetic()      ? "a number"
                                     : "no value that converts to it";
}

// Parameters have reserved names in headers, which no macro of a program can be: __dst.
std::string_view without_underscores(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('_'), name.size()));
}

// The cure for a pointer of the wrong kind.
std::string_view cure(std::string_view function, Conversion found) {
  if (function == "upc_memcpy" || function == "upc_memget" || function == "upc_memput")
    return "; upc_memget(private, shared, n), upc_memput(shared, private, n) and upc_memcpy(shared, shared, n) differ in this";
  return found == Conversion::kToPrivate ? "; cast it if the object has affinity to this thread" : "";
}

// Private types where the C compiler would speak of the runtime's functions and macros.
bool private_mismatch(const Expr& argument, QualType parameter) {
  const QualType from = argument.target;
  if (from.is_unknown() || parameter.is_unknown()) return false;
  if (parameter.is_arithmetic()) return !from.is_arithmetic();
  return parameter.is_pointer() && !from.is_pointer() && !argument.null_constant;
}

}  // namespace

bool LibraryRules::refuse_argument(const Expr& argument, const Symbol& function, std::size_t index,
                                   QualType parameter) {
  const Conversion found = conversion(argument.target, parameter, argument.null_constant);
  switch (found) {
    case Conversion::kNone:
      if (!private_mismatch(argument, parameter)) return false;
      break;
    case Conversion::kLayout:
    case Conversion::kToPrivate:
    case Conversion::kToShared:
    case Conversion::kIntToPts:
    case Conversion::kPtsToInt:
    case Conversion::kInvalid:
      break;
    default:
      return false;
  }
  std::string which = std::to_string(index + 1);
  const DeclaratorChunk* chunk =
      function.declarator == nullptr ? nullptr : function.declarator->function_chunk();
  if (chunk != nullptr && index < chunk->parameters.size())
    if (const NameId name = chunk->parameters[index]->declarator()->name)
      which += " (" + std::string(without_underscores(c_.text(name))) + ")";
  const std::string what = found == Conversion::kLayout || noun(parameter) == noun(argument.target)
                               ? quoted(parameter)
                               : std::string(noun(parameter));
  const std::string given = found == Conversion::kLayout || noun(parameter) == noun(argument.target)
                                ? quoted(argument.target)
                                : std::string(noun(argument.target));
  std::string_view name = function.text;  // upc_collective.h gives the collectives names of their own
  if (name.starts_with("bupc_all_")) name.remove_prefix(1);
  c_.report(Diag::kLibArg, Mark(argument.tokens), "argument % of '%' is %, and this is %%",
            {which, name, what, given, cure(function.text, found)})
      .label(Mark(argument.tokens), quoted(argument.target))
      .note(Mark(function.token), quoted(name) + " is declared here");
  return true;
}

void LibraryRules::check_heap_block(const Expr& value, QualType pointer) {
  const Expr* inner = &value;
  while (const auto* paren = cast_if<ParenExpr>(inner)) inner = paren->inner();
  const auto* call = cast_if<CallExpr>(inner);
  const auto* callee = call == nullptr ? nullptr : cast_if<NameExpr>(call->callee());
  if (callee == nullptr || call->arguments().size() != 2 || pointer->inner.is_void()) return;
  const std::string_view name = c_.text(callee->name);
  if (name != "upc_all_alloc" && name != "upc_global_alloc") return;
  const QualType element = pointer->inner.ultimate_element();
  const auto size = size_of(element);
  const auto* bytes = as<Expr>(call->arguments()[1]);
  const auto given = Constants::integer(bytes);
  if (element.block == 0 || !size || !given || *given <= 0) return;
  const std::int64_t wanted = size->factor * element.block;
  if (*given == wanted) return;
  const std::string type = to_upc(element.unqualified());
  c_.report(
        Diag::kHeapSize, Mark(bytes->tokens), "% makes blocks of % bytes, but % has blocks of % bytes",
        {name, std::to_string(static_cast<std::int64_t>(*given)), quoted(pointer), std::to_string(wanted)})
      .label(Mark(bytes->tokens),
             (element.block == 1 ? "" : std::to_string(element.block) + " * ") + "sizeof(" + type + ")");
}

}  // namespace upc2c

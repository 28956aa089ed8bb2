// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/checker.hpp"

#include "tools/upc2c/ast/walk.hpp"
#include "tools/upc2c/check/check.hpp"

namespace upc2c {
namespace {

// What a part has, the whole has.
void inherit(Node* node, const Node* part) {
  node->has_upc |= part->has_upc;
  node->has_static |= part->has_static;
  node->defines_static |= part->defines_static;
  node->has_error |= part->has_error;
}

void propagate(Node* root) {
  walk(
      root, [](const Node*) {},
      [](const Node* part, std::span<Node* const> above) {
        if (!above.empty()) inherit(above.back(), part);
      });
}

// A sizeof of something shared whose value is not known.
const Node* find_size_query(const Node* root) {
  return find_below(root, [](const Node* node) {
    const auto* query = cast_if<SizeQuery>(node);
    return query != nullptr && query->value == nullptr && query->has_upc;
  });
}

}  // namespace

Diagnostic& Check::report(Diag diag, const Mark& at, std::string_view pattern,
                          std::initializer_list<std::string_view> arguments) {
  if (stream.token(at.caret).origin == Origin::kSystem) return diagnostics.dropped();
  return diagnostics.report(diag, at, pattern, arguments);
}

void Check::report_unknown(const Expr& expr) {
  if (expr.has_error || diagnostics.errors() > unknowns) return;
  report(Diag::kUnknown, Mark(expr.tokens), "upcc does not know the type of this expression; cast it");
  unknowns = diagnostics.errors();
}

void Check::check_name(const Declarator& declarator) {
  const std::string_view name = text(declarator.name);
  if (declarator.name == 0 || stream.token(declarator.name_token).origin != Origin::kUser) return;
  if (!name.starts_with("upc") && !name.starts_with("UPC")) return;
  // The runtime's headers themselves, and C that was written for it.
  if (stream.in_c_code(declarator.name_token)) return;
  const std::string_view file = stream.place(declarator.name_token).file;
  if (file.find("upcr/") != std::string_view::npos || file.ends_with("upcr.h")) return;
  for (const std::string_view prefix : {"upcr_", "upcri_", "upc2c_", "UPCR_", "UPCRI_", "UPC2C_"})
    if (name.starts_with(prefix))
      report(Diag::kMacro, declarator.name_token,
             "'%' cannot be declared: names that begin with '%' are the runtime's functions and macros",
             {name, prefix});
}

void Check::require_constant(const Expr& expr, std::string_view what) {
  if (expr.value != nullptr || expr.has_error) return;
  if (const Node* size = find_size_query(&expr))
    report(Diag::kSizeofConst, Mark(size->tokens),
           "% must be a constant, and this size depends on THREADS; with -T N it is constant", {what});
  else if (stream.has_upc_keyword(expr.tokens))
    report(Diag::kConst, Mark(expr.tokens),
           "% must be a constant, and this is known at run time only; with -T N THREADS is constant", {what});
}

Checker::Checker(TokenStream& stream, Arena& arena, Types& types, Diagnostics& diagnostics,
                 const CheckOptions& options)
    : check_(std::make_unique<Check>(stream, arena, types, diagnostics, options)) {
  check_->declarations.declare_builtin_types();
}

Checker::~Checker() = default;

void Checker::check(Node* external) {
  check_->declarations.external(external);
  if (check_->stream.token(external->tokens.begin).origin != Origin::kSystem) propagate(external);
}

const std::deque<Symbol>& Checker::symbols() const { return check_->scopes.all(); }

Symbol* Checker::find(std::string_view name) const {
  return check_->scopes.find_at_file_scope(check_->stream.names().find(name));
}

}  // namespace upc2c

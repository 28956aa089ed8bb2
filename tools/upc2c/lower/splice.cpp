// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/splice.hpp"

#include <algorithm>

#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {

std::string Splice::text(const Node* node) {
  if (node == nullptr || node->tokens.empty()) return {};
  if (const auto* function = cast_if<Function>(node)) return lower_.functions.text(function);
  if (!lower_.concerns(*node)) return raw(node);
  if (node->is_expr()) return lower_.expressions.text(static_cast<const Expr*>(node));
  if (node->is_stmt()) return lower_.statements.text(static_cast<const Stmt*>(node));
  switch (node->kind) {
    case NodeKind::kDeclaration:
      return lower_.declarations.text(as<Declaration>(node));
    case NodeKind::kTypeName:
      return lower_.type_texts.type_name(as<TypeName>(node));
    default:
      return lower_.declarations.part(node);
  }
}

std::string Splice::gap(TokenIndex token) {
  const Token& at = lower_.stream.token(token);
  if (!at.after_directive) return at.origin == Origin::kUser ? std::string(lower_.stream.gap(token)) : "";
  std::string out = lower_.includes.in_place(token) + pragmas(token, token);
  if (at.origin != Origin::kUser) return out;
  const bool line_of_its_own = !out.empty() || is_in_other_file(token);
  return out + (line_of_its_own ? Positions::mark(token) : " " + Positions::weak_mark(token));
}

// Whether the token before is in another file: the program includes text within a declaration.
bool Splice::is_in_other_file(TokenIndex token) const {
  const LineTable& lines = lower_.stream.lines();
  const auto file = [&](TokenIndex i) { return lines.stretch(lower_.stream.token(i).offset).file; };
  return token > 0 && file(token) != file(token - 1);
}

std::string Splice::pragmas(TokenIndex first, TokenIndex last) {
  const auto& all = lower_.stream.pragmas();
  auto pragma = std::lower_bound(all.begin(), all.end(), first,
                                 [](const Pragma& p, TokenIndex token) { return p.before < token; });
  std::string out;
  for (; pragma != all.end() && pragma->before <= last; ++pragma) {
    // A upc_forall becomes a block, before which a hint would be an error.
    const bool hint =
        pragma->kind == PragmaKind::kLoopHint && !lower_.stream.token(pragma->before).is(Tok::kUpcForall);
    const bool emitted = pragma->kind == PragmaKind::kOther || pragma->kind == PragmaKind::kPack ||
                         pragma->kind == PragmaKind::kPupc || pragma->kind == PragmaKind::kLoop || hint;
    if (emitted && pragma->origin == Origin::kUser)
      out += Positions::line(pragma->offset, lower_.stream.text(*pragma));
  }
  return out;
}

std::string Splice::raw(TokenRange range) {
  std::string out;
  for (TokenIndex i = range.begin; i < range.end; i++) {
    if (i != range.begin) out += gap(i);
    if (lower_.stream.token(i).origin == Origin::kUser)
      out += lower_.functions.spelling(lower_.stream.text(i));
  }
  return out;
}

std::string Splice::spliced(const Node* node) {
  return spliced(node, [this](const Node* part) { return text(part); });
}

std::string Splice::spliced(const Node* node, const std::function<std::string(const Node*)>& part) {
  std::string out;
  const TokenIndex begin = node->tokens.begin;
  TokenIndex at = begin;
  const auto copy_to = [&](TokenIndex end) {
    if (at >= end) return;
    if (at != begin) out += gap(at);
    out += raw({at, end});
    at = end;
  };
  for (const Node* child : node->children()) {
    if (child == nullptr || child->tokens.empty()) continue;
    copy_to(child->tokens.begin);
    if (at != begin) out += gap(at);
    out += part(child);
    at = child->tokens.end;
  }
  copy_to(node->tokens.end);
  return out;
}

std::string Splice::temporary(std::string_view stem) {
  std::string name;
  do {
    name = std::string(stem) + "_" + std::to_string(++temporaries_);
  } while (lower_.stream.names().find(name) != 0);
  return name;
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/cursor.hpp"

#include <algorithm>

namespace upc2c {

namespace {

// Links of a chain are walked in loops, and so are as deep as its first.
bool continues_chain(const Node& node, const Node& child) {
  return (node.is(NodeKind::kIf) && child.is(NodeKind::kIf)) || (is_label(node) && is_label(child));
}

// The macro of <upc.h> that stands for a keyword, or "".
std::string_view legacy_name(Tok keyword) {
  switch (keyword) {
    case Tok::kUpcForall:
      return "forall";
    case Tok::kUpcBarrier:
      return "barrier";
    case Tok::kUpcNotify:
      return "barrier_notify";
    case Tok::kUpcWait:
      return "barrier_wait";
    case Tok::kUpcFence:
      return "fence";
    default:
      return {};
  }
}

}  // namespace

Cursor::Cursor(const TokenStream& stream, Arena& arena, Diagnostics& diagnostics)
    : stream_(stream),
      tokens_(stream.tokens().data()),
      last_(static_cast<TokenIndex>(stream.tokens().size()) - 1),
      arena_(arena),
      diagnostics_(diagnostics) {}

bool Cursor::expect(Tok kind, std::string_view where) {
  if (accept(kind)) {
    if (kind == Tok::kSemicolon) panicking_ = false;  // a place to go on
    return true;
  }
  const std::string what = quoted(spelling(kind)) + (where.empty() ? "" : " " + std::string(where));
  if (missing_behind_line(kind)) {
    report_at(Mark::behind(at_ - 1), "expected " + what);
    if (kind == Tok::kSemicolon) panicking_ = false;  // the next line is read as if it were there
  } else {
    error(what);
  }
  return false;
}

// Whether what ends an expression or a declaration is missing at the end of the line before this token.
bool Cursor::missing_behind_line(Tok kind) const {
  if (kind != Tok::kSemicolon && kind != Tok::kRParen && kind != Tok::kRBracket) return false;
  if (at_ == 0 || tokens_[at_ - 1].origin != token().origin) return false;
  const Place before = stream_.place(at_ - 1), here = stream_.place(at_);
  return before.file == here.file && before.line < here.line;
}

void Cursor::error(std::string_view what) {
  if (panicking_) return;
  const Token& found = token();
  // At the beginning of a line it begins a declaration, and something is missing before it.
  if (is_upc_qualifier(found.kind) && !found.first_on_line) return error_keyword(at_);
  panicking_ = true;
  if (found.is(Tok::kUpcBarrier) || found.is(Tok::kUpcNotify) || found.is(Tok::kUpcWait) ||
      found.is(Tok::kUpcFence)) {
    diagnostics_.report(Diag::kBarExpr, at_, "'%' is a statement; expected %", {spelling(found.kind), what});
  } else if (found.is(Tok::kEnd)) {
    diagnostics_.report(Diag::kSyntax, at_, "expected % at the end of the file", {what});
  } else {
    diagnostics_.report(Diag::kSyntax, at_, "expected % before '%'", {what, stream_.text(at_)});
  }
}

void Cursor::error_no_name(TokenIndex begin) {
  if (begin > 0 && is_upc_qualifier(tokens_[begin - 1].kind)) return error_keyword(begin - 1);
  if (is_upc_keyword(token().kind)) return error_keyword(at_);
  error("a name");
}

void Cursor::error_keyword(TokenIndex at) {
  if (!panicking_) report_keyword(at);
  panicking_ = true;
}

void Cursor::report_keyword(TokenIndex at) {
  const std::string_view word = spelling(tokens_[at].kind);
  if (!keywords_.insert(tokens_[at].kind).second) return;
  if (const std::string_view legacy = legacy_name(tokens_[at].kind); !legacy.empty()) {
    diagnostics_.report(
        Diag::kKey, at,
        "'%' is a keyword of UPC and cannot be a name; if the source has '%', -DUPC_DISABLE_LEGACY_NAMES makes that a name",
        {word, legacy});
    return;
  }
  diagnostics_.report(
      Diag::kKey, at,
      "'%' is a keyword of UPC and cannot be a name; -D%=%_ gives it another one, and C code belongs between '#pragma upc c_code' and '#pragma upc upc_code'",
      {word, word, word});
}

void Cursor::report_at(Mark at, std::string_view text) {
  if (panicking_) return;
  panicking_ = true;
  diagnostics_.report(Diag::kSyntax, at, "%", {text});
}

void Cursor::recover() {
  panicking_ = false;
  unsigned depth = 0;
  for (; !at_end(); next()) {
    switch (token().kind) {
      case Tok::kLBrace:
      case Tok::kLParen:
      case Tok::kLBracket:
        depth++;
        break;
      case Tok::kRParen:
      case Tok::kRBracket:
        if (depth > 0) depth--;
        break;
      case Tok::kRBrace:
        if (depth == 0) return;
        if (--depth == 0 && peek(1).first_on_line) {  // most often the end of a body
          next();
          return;
        }
        break;
      case Tok::kSemicolon:
        if (depth == 0) {
          next();
          return;
        }
        break;
      default:
        break;
    }
  }
}

void Cursor::skip_balanced() {
  unsigned depth = 0;
  while (!at_end()) {
    const Tok kind = token().kind;
    if (kind == Tok::kLParen || kind == Tok::kLBrace || kind == Tok::kLBracket) depth++;
    if (kind == Tok::kRParen || kind == Tok::kRBrace || kind == Tok::kRBracket) depth--;
    next();
    if (depth == 0) return;
  }
  error("a closing bracket");
}

void Cursor::enter() {
  if (++depth_ > kMaxDepth) too_deep(kMaxDepth);
}

void Cursor::too_deep(unsigned limit) {
  if (!at_end())
    diagnostics_.report(Diag::kSyntax, at_, "nested more than % deep: nothing behind this is read",
                        {std::to_string(limit)});
  panicking_ = true;
  at_ = last_;
}

void Cursor::finish_node(Node* node, TokenIndex begin, const std::vector<Node*>& children) {
  node->tokens = {begin, at_ > begin ? at_ : begin};
  const std::span<Node*> copy = arena_.copy(children);
  node->child_array = copy.data();
  node->child_count = static_cast<std::uint32_t>(copy.size());
  node->has_error |= panicking_;
  node->has_upc |= stream_.has_upc_keyword(node->tokens);
  unsigned depth = 0;
  for (const Node* child : copy) {
    if (child == nullptr) continue;
    node->has_error |= child->has_error;
    depth = std::max(depth, child->depth + (continues_chain(*node, *child) ? 0u : 1u));
  }
  node->depth = static_cast<std::uint16_t>(depth);
  if (depth > kMaxTreeDepth) too_deep(kMaxTreeDepth);
}

}  // namespace upc2c

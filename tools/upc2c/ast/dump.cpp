// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/ast/dump.hpp"

#include <array>
#include <iterator>

namespace upc2c {
namespace {

/* clang-format off */
constexpr std::string_view kNames[] = {
  "number", "character", "string", "name", "THREADS", "MYTHREAD", "paren", "unary", "binary", "assign", "conditional",
  "index", "call", "member", "cast", "compound-literal", "size-query", "statement-expr", "generic", "va-arg", "offsetof",
  "types-compatible", "choose-expr", "type-argument", "init-list", "designated", "range", "field",
  "error-expr",
  "compound", "declaration-stmt", "expr-stmt", "empty", "if", "switch", "while", "do", "for", "forall", "goto", "computed-goto",
  "continue", "break", "return", "label", "case", "default", "asm", "notify", "wait", "barrier", "fence", "local-labels",
  "error-stmt",
  "translation-unit", "declaration", "function", "init", "declarator", "parameter", "specifiers", "type-name",
  "record", "enum", "enumerator", "typeof", "atomic", "alignas", "field-declaration", "attribute",
  "static-assert", "file-asm", "empty-declaration", "mode-pragma", "error-declaration",
};
static_assert(std::size(kNames) == static_cast<std::size_t>(NodeKind::kErrorDeclaration) + 1);
constexpr std::string_view kUnary[] = {"+", "-", "!", "~", "*", "&", "++_", "--_", "_++", "_--", "real", "imag", "extension", "&&"};
constexpr std::string_view kBinary[] = {"*", "/", "%", "+", "-", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||", ","};
/* clang-format on */

class Dumper {
 public:
  explicit Dumper(const TokenStream& stream) : stream_(stream) {}

  std::string out;

  void add(const Node* node) {
    if (node == nullptr) {
      out += "()";
      return;
    }
    if (node->is_expr() && node->child_count == 0 && !node->is(NodeKind::kErrorExpr) &&
        !node->is(NodeKind::kInitList)) {
      out += stream_.text(node->tokens);
      return;
    }
    if (node->is(NodeKind::kParen)) return add(node->child(0));
    out += '(';
    out += head(node);
    for (const Node* child : node->children()) {
      out += ' ';
      add(child);
    }
    out += ')';
  }

 private:
  std::string head(const Node* node) const {
    if (const auto* unary = cast_if<UnaryExpr>(node)) return std::string(kUnary[static_cast<int>(unary->op)]);
    if (const auto* binary = cast_if<BinaryExpr>(node)) return std::string(spelling(binary->op));
    if (const auto* assign = cast_if<AssignExpr>(node))
      return assign->compound ? std::string(spelling(assign->op)) + "=" : "=";
    if (const auto* member = cast_if<MemberExpr>(node))
      return (member->arrow ? "->" : ".") + std::string(stream_.names().text(member->name));
    if (const auto* query = cast_if<SizeQuery>(node)) return std::string(spelling(query->op));
    if (node->is(NodeKind::kSpecifiers) || node->is(NodeKind::kDeclarator))
      return std::string(kind_name(node->kind)) + " '" + std::string(stream_.text(node->tokens)) + "'";
    if (node->is(NodeKind::kGoto) || node->is(NodeKind::kLabel))
      return std::string(kind_name(node->kind)) + " " +
             std::string(stream_.text(node->tokens.begin + (node->is(NodeKind::kGoto) ? 1 : 0)));
    return std::string(kind_name(node->kind));
  }

  const TokenStream& stream_;
};

}  // namespace

std::string_view kind_name(NodeKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string_view spelling(UnaryOp op) {
  switch (op) {
    case UnaryOp::kPreIncrement:
    case UnaryOp::kPostIncrement:
      return "++";
    case UnaryOp::kPreDecrement:
    case UnaryOp::kPostDecrement:
      return "--";
    case UnaryOp::kReal:
      return "__real__";
    case UnaryOp::kImag:
      return "__imag__";
    case UnaryOp::kExtension:
      return "__extension__";
    default:
      return kUnary[static_cast<std::size_t>(op)];
  }
}

std::string_view spelling(BinaryOp op) { return kBinary[static_cast<std::size_t>(op)]; }

std::string dump(const Node* node, const TokenStream& stream) {
  Dumper dumper(stream);
  dumper.add(node);
  return std::move(dumper.out);
}

}  // namespace upc2c

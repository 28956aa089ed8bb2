// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/expression/primaries.hpp"

#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {

Expr* PrimaryParser::error(std::string_view what) {
  Cursor& c = g_.cursor;
  c.error(what);
  return c.finish(c.make<ErrorExpr>(), c.position(), {});
}

Expr* PrimaryParser::primary() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  switch (c.token().kind) {
    case Tok::kIdentifier:
      return name();
    case Tok::kNumber:
      return literal(NodeKind::kNumber);
    case Tok::kCharacter:
      return literal(NodeKind::kCharacter);
    case Tok::kString:
      return literal(NodeKind::kString);
    case Tok::kThreads:
      c.next();
      return c.finish(c.make<ThreadsExpr>(), begin, {});
    case Tok::kMythread:
      c.next();
      return c.finish(c.make<MythreadExpr>(), begin, {});
    case Tok::kLParen:
      return parenthesised();
    case Tok::kGeneric:
      return generic();
    case Tok::kVaArg:
      return va_arg_expr();
    case Tok::kOffsetof:
      return offsetof_expr();
    case Tok::kTypesCompatible:
    case Tok::kAssertType:
      return types_compatible();
    case Tok::kChooseExpr:
      return choose_expr();
    default:
      return error("an expression");
  }
}

Expr* PrimaryParser::literal(NodeKind kind) {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  c.next();
  while (kind == NodeKind::kString && c.at(Tok::kString)) c.next();
  return c.finish(c.make<Literal>(kind), begin, {});
}

Expr* PrimaryParser::name() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  if (g_.typedefs.is_typedef(c.token().name)) return error("an expression");
  auto* node = c.make<NameExpr>();
  node->name = c.token().name;
  c.next();
  return c.finish(node, begin, {});
}

// ( expression ) or ({ statements })
Expr* PrimaryParser::parenthesised() {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  const TokenIndex begin = c.position();
  c.next();
  if (c.at(Tok::kLBrace)) {
    auto* node = c.make<StatementExpr>();
    Compound* body = g_.statements.compound();
    c.expect(Tok::kRParen, "behind a statement expression");
    return c.finish(node, begin, {body});
  }
  auto* node = c.make<ParenExpr>();
  Expr* inner = g_.expressions.comma();
  c.expect(Tok::kRParen, "");
  return c.finish(node, begin, {inner});
}

Expr* PrimaryParser::generic() {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  const TokenIndex begin = c.position();
  auto* node = c.make<GenericExpr>();
  c.next();
  if (!c.expect(Tok::kLParen, "behind '_Generic'")) return c.finish(c.make<ErrorExpr>(), begin, {});
  std::vector<Node*> children = {g_.expressions.assignment()};
  while (c.accept(Tok::kComma) && !c.panicking()) {
    if (c.accept(Tok::kDefault))
      children.push_back(nullptr);
    else
      children.push_back(g_.specifiers.type_name());
    c.expect(Tok::kColon, "in '_Generic'");
    children.push_back(g_.expressions.assignment());
  }
  c.expect(Tok::kRParen, "at the end of '_Generic'");
  return c.finish(node, begin, children);
}

Expr* PrimaryParser::va_arg_expr() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<VaArgExpr>();
  c.next();
  c.expect(Tok::kLParen, "behind 'va_arg'");
  Expr* list = g_.expressions.assignment();
  c.expect(Tok::kComma, "in 'va_arg'");
  TypeName* type = g_.specifiers.type_name();
  c.expect(Tok::kRParen, "at the end of 'va_arg'");
  return c.finish(node, begin, {list, type});
}

Expr* PrimaryParser::offsetof_expr() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<OffsetofExpr>();
  c.next();
  c.expect(Tok::kLParen, "behind 'offsetof'");
  std::vector<Node*> children = {g_.specifiers.type_name()};
  c.expect(Tok::kComma, "in 'offsetof'");
  bool first = true;
  while (!c.panicking() && !c.at(Tok::kRParen)) {
    const TokenIndex at = c.position();
    if (c.accept(Tok::kLBracket)) {
      auto* index = c.make<RangeDesignator>();
      Expr* value = g_.expressions.comma();
      c.expect(Tok::kRBracket, "behind an index");
      children.push_back(c.finish(index, at, {value, nullptr}));
    } else {
      if (!first) c.accept(Tok::kDot) || c.accept(Tok::kArrow);
      auto* field = c.make<FieldDesignator>();
      field->name = c.token().name;
      c.expect(Tok::kIdentifier, "in 'offsetof'");
      children.push_back(c.finish(field, at, {}));
    }
    first = false;
  }
  c.expect(Tok::kRParen, "at the end of 'offsetof'");
  return c.finish(node, begin, children);
}

Expr* PrimaryParser::types_compatible() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<TypesCompatibleExpr>();
  node->is_assert = c.at(Tok::kAssertType);
  c.next();
  c.expect(Tok::kLParen, "");
  TypeName* first = g_.specifiers.type_name();
  c.expect(Tok::kComma, "between two types");
  TypeName* second = g_.specifiers.type_name();
  c.expect(Tok::kRParen, "behind two types");
  return c.finish(node, begin, {first, second});
}

Expr* PrimaryParser::choose_expr() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<ChooseExpr>();
  c.next();
  c.expect(Tok::kLParen, "behind '__builtin_choose_expr'");
  Expr* condition = g_.expressions.assignment();
  c.expect(Tok::kComma, "in '__builtin_choose_expr'");
  Expr* then_value = g_.expressions.assignment();
  c.expect(Tok::kComma, "in '__builtin_choose_expr'");
  Expr* else_value = g_.expressions.assignment();
  c.expect(Tok::kRParen, "at the end of '__builtin_choose_expr'");
  return c.finish(node, begin, {condition, then_value, else_value});
}

Expr* PrimaryParser::postfix(Expr* base, TokenIndex begin) {
  Cursor& c = g_.cursor;
  for (;;) {
    switch (c.token().kind) {
      case Tok::kLBracket: {
        auto* node = c.make<IndexExpr>();
        c.next();
        Expr* index = g_.expressions.comma();
        c.expect(Tok::kRBracket, "behind a subscript");
        base = c.finish(node, begin, {base, index});
        break;
      }
      case Tok::kLParen:
        base = call(base, begin);
        break;
      case Tok::kDot:
        base = member(base, begin, false);
        break;
      case Tok::kArrow:
        base = member(base, begin, true);
        break;
      case Tok::kPlusPlus:
      case Tok::kMinusMinus: {
        auto* node = c.make<UnaryExpr>();
        node->op = c.at(Tok::kPlusPlus) ? UnaryOp::kPostIncrement : UnaryOp::kPostDecrement;
        node->op_token = c.position();
        c.next();
        base = c.finish(node, begin, {base});
        break;
      }
      default:
        return base;
    }
    if (c.panicking()) return base;
  }
}

Expr* PrimaryParser::call(Expr* callee, TokenIndex begin) {
  Cursor& c = g_.cursor;
  auto* node = c.make<CallExpr>();
  std::vector<Node*> children = {callee};
  const auto* name = cast_if<NameExpr>(callee);
  const bool builtin = name != nullptr && c.stream().text(name->tokens.begin).starts_with("__builtin_");
  c.next();
  while (!c.at(Tok::kRParen) && !c.panicking() && !c.at_end()) {
    children.push_back(argument(builtin));
    if (!c.accept(Tok::kComma)) break;
  }
  c.expect(Tok::kRParen, "at the end of a call");
  return c.finish(node, begin, children);
}

// Some builtin functions have types as arguments.
Expr* PrimaryParser::argument(bool of_builtin) {
  Cursor& c = g_.cursor;
  if (!of_builtin || !g_.starts_type(c.token())) return g_.expressions.assignment();
  const TokenIndex begin = c.position();
  auto* node = c.make<TypeArgument>();
  TypeName* type = g_.specifiers.type_name();
  return c.finish(node, begin, {type});
}

Expr* PrimaryParser::member(Expr* base, TokenIndex begin, bool arrow) {
  Cursor& c = g_.cursor;
  auto* node = c.make<MemberExpr>();
  node->arrow = arrow;
  c.next();
  node->name_token = c.position();
  node->name = c.at(Tok::kIdentifier) ? c.token().name : 0;
  c.expect(Tok::kIdentifier, arrow ? "behind '->'" : "behind '.'");
  return c.finish(node, begin, {base});
}

}  // namespace upc2c

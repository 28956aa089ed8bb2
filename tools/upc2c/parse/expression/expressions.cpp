// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/expression/expressions.hpp"

#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {
namespace {

struct Operator {
  unsigned precedence;  // 0: no binary operator
  BinaryOp op;
};

Operator binary_operator(Tok kind) {
  switch (kind) {
    case Tok::kStar:
      return {10, BinaryOp::kMultiply};
    case Tok::kSlash:
      return {10, BinaryOp::kDivide};
    case Tok::kPercent:
      return {10, BinaryOp::kRemainder};
    case Tok::kPlus:
      return {9, BinaryOp::kAdd};
    case Tok::kMinus:
      return {9, BinaryOp::kSubtract};
    case Tok::kShiftLeft:
      return {8, BinaryOp::kShiftLeft};
    case Tok::kShiftRight:
      return {8, BinaryOp::kShiftRight};
    case Tok::kLess:
      return {7, BinaryOp::kLess};
    case Tok::kGreater:
      return {7, BinaryOp::kGreater};
    case Tok::kLessEqual:
      return {7, BinaryOp::kLessEqual};
    case Tok::kGreaterEqual:
      return {7, BinaryOp::kGreaterEqual};
    case Tok::kEqualEqual:
      return {6, BinaryOp::kEqual};
    case Tok::kBangEqual:
      return {6, BinaryOp::kNotEqual};
    case Tok::kAmp:
      return {5, BinaryOp::kBitAnd};
    case Tok::kCaret:
      return {4, BinaryOp::kBitXor};
    case Tok::kPipe:
      return {3, BinaryOp::kBitOr};
    case Tok::kAmpAmp:
      return {2, BinaryOp::kLogicalAnd};
    case Tok::kPipePipe:
      return {1, BinaryOp::kLogicalOr};
    default:
      return {0, BinaryOp::kComma};
  }
}

bool assignment_operator(Tok kind, bool& compound, BinaryOp& op) {
  compound = kind != Tok::kEqual;
  switch (kind) {
    case Tok::kEqual:
      break;
    case Tok::kPlusEqual:
      op = BinaryOp::kAdd;
      break;
    case Tok::kMinusEqual:
      op = BinaryOp::kSubtract;
      break;
    case Tok::kStarEqual:
      op = BinaryOp::kMultiply;
      break;
    case Tok::kSlashEqual:
      op = BinaryOp::kDivide;
      break;
    case Tok::kPercentEqual:
      op = BinaryOp::kRemainder;
      break;
    case Tok::kAmpEqual:
      op = BinaryOp::kBitAnd;
      break;
    case Tok::kPipeEqual:
      op = BinaryOp::kBitOr;
      break;
    case Tok::kCaretEqual:
      op = BinaryOp::kBitXor;
      break;
    case Tok::kShiftLeftEqual:
      op = BinaryOp::kShiftLeft;
      break;
    case Tok::kShiftRightEqual:
      op = BinaryOp::kShiftRight;
      break;
    default:
      return false;
  }
  return true;
}

}  // namespace

Expr* ExpressionParser::comma() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  Expr* left = assignment();
  while (c.at(Tok::kComma)) {
    auto* node = c.make<BinaryExpr>();
    node->op = BinaryOp::kComma;
    node->op_token = c.position();
    c.next();
    Expr* right = assignment();
    left = c.finish(node, begin, {left, right});
  }
  return left;
}

Expr* ExpressionParser::assignment() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  Expr* left = conditional();
  bool compound = false;
  BinaryOp op = BinaryOp::kAdd;
  if (!assignment_operator(c.token().kind, compound, op)) return left;
  auto* node = c.make<AssignExpr>();
  node->compound = compound;
  node->op = op;
  node->op_token = c.position();
  c.next();
  Cursor::Nesting nesting(c);
  Expr* right = g_.initializers.parse();  // a list here is an error that the C compiler reports
  return c.finish(node, begin, {left, right});
}

Expr* ExpressionParser::conditional() {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  const TokenIndex begin = c.position();
  Expr* condition = binary(1);
  if (!c.at(Tok::kQuestion)) return condition;
  auto* node = c.make<ConditionalExpr>();
  node->op_token = c.position();
  c.next();
  Expr* then_value = c.at(Tok::kColon) ? nullptr : comma();
  c.expect(Tok::kColon, "in a conditional expression");
  Expr* else_value = conditional();
  return c.finish(node, begin, {condition, then_value, else_value});
}

Expr* ExpressionParser::binary(unsigned lowest) {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  Expr* left = cast();
  for (;;) {
    const Operator found = binary_operator(c.token().kind);
    if (found.precedence < lowest || found.precedence == 0) return left;
    auto* node = c.make<BinaryExpr>();
    node->op = found.op;
    node->op_token = c.position();
    c.next();
    Expr* right = binary(found.precedence + 1);
    left = c.finish(node, begin, {left, right});
  }
}

Expr* ExpressionParser::cast() {
  Cursor& c = g_.cursor;
  if (c.at(Tok::kLParen)) {
    const Token& next = c.peek(1);
    if (g_.starts_type(next) || next.is(Tok::kAttribute) ||
        (next.is(Tok::kExtension) && g_.starts_type(c.peek(2))) || g_.is_undeclared_cast())
      return cast_or_literal();
  }
  return unary();
}

// ( type-name ) expression, or ( type-name ) { list } with what may follow it.
Expr* ExpressionParser::cast_or_literal() {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  const TokenIndex begin = c.position();
  c.next();
  TypeName* type = g_.specifiers.type_name();
  c.expect(Tok::kRParen, "behind a type");
  if (c.at(Tok::kLBrace)) {
    auto* literal = c.make<CompoundLiteral>();
    InitList* list = g_.initializers.list();
    return g_.primaries.postfix(c.finish(literal, begin, {type, list}), begin);
  }
  auto* node = c.make<CastExpr>();
  Expr* operand = cast();
  return c.finish(node, begin, {type, operand});
}

Expr* ExpressionParser::unary() {
  switch (g_.cursor.token().kind) {
    case Tok::kPlus:
      return unary_operator(UnaryOp::kPlus);
    case Tok::kMinus:
      return unary_operator(UnaryOp::kMinus);
    case Tok::kBang:
      return unary_operator(UnaryOp::kNot);
    case Tok::kTilde:
      return unary_operator(UnaryOp::kBitNot);
    case Tok::kStar:
      return unary_operator(UnaryOp::kDereference);
    case Tok::kAmp:
      return unary_operator(UnaryOp::kAddress);
    case Tok::kPlusPlus:
      return unary_operator(UnaryOp::kPreIncrement);
    case Tok::kMinusMinus:
      return unary_operator(UnaryOp::kPreDecrement);
    case Tok::kReal:
      return unary_operator(UnaryOp::kReal);
    case Tok::kImag:
      return unary_operator(UnaryOp::kImag);
    case Tok::kExtension:
      return unary_operator(UnaryOp::kExtension);
    case Tok::kAmpAmp:
      return label_address();
    case Tok::kSizeof:
    case Tok::kAlignof:
    case Tok::kUpcLocalsizeof:
    case Tok::kUpcBlocksizeof:
    case Tok::kUpcElemsizeof:
      return size_query();
    default: {
      const TokenIndex begin = g_.cursor.position();
      return g_.primaries.postfix(g_.primaries.primary(), begin);
    }
  }
}

Expr* ExpressionParser::unary_operator(UnaryOp op) {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  auto* node = c.make<UnaryExpr>();
  node->op = op;
  node->op_token = c.position();
  c.next();
  Expr* operand = cast();
  return c.finish(node, node->op_token, {operand});
}

Expr* ExpressionParser::label_address() {
  Cursor& c = g_.cursor;
  auto* node = c.make<UnaryExpr>();
  node->op = UnaryOp::kLabelAddress;
  node->op_token = c.position();
  c.next();
  c.expect(Tok::kIdentifier, "behind '&&'");
  return c.finish(node, node->op_token, {});
}

// A type-name in parentheses, unless it begins a compound literal; else a unary expression.
Expr* ExpressionParser::size_query() {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  const TokenIndex begin = c.position();
  auto* node = c.make<SizeQuery>();
  node->op = c.token().kind;
  c.next();
  if (!c.at(Tok::kLParen) ||
      !(g_.starts_type(c.peek(1)) || (c.peek(1).is(Tok::kAttribute)) || g_.is_undeclared_cast())) {
    Expr* operand = unary();
    return c.finish(node, begin, {operand});
  }
  const TokenIndex open = c.position();
  c.next();
  TypeName* type = g_.specifiers.type_name();
  c.expect(Tok::kRParen, "behind a type");
  if (!c.at(Tok::kLBrace)) return c.finish(node, begin, {type});
  auto* literal = c.make<CompoundLiteral>();
  InitList* list = g_.initializers.list();
  Expr* operand = g_.primaries.postfix(c.finish(literal, open, {type, list}), open);
  return c.finish(node, begin, {operand});
}

}  // namespace upc2c

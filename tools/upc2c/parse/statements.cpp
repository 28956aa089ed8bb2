// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/statements.hpp"

#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {

Compound* StatementParser::compound() {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  const TypedefNames::Scope scope(g_.typedefs);
  const TokenIndex begin = c.position();
  auto* node = c.make<Compound>();
  std::vector<Node*> items;
  c.expect(Tok::kLBrace, "");
  node->mode = g_.pragmas.take(c.position());
  while (!c.at(Tok::kRBrace) && !c.at_end()) {
    const TokenIndex before = c.position();
    if (!items.empty()) g_.pragmas.refuse(before);
    items.push_back(block_item());
    if (c.panicking()) c.recover();
    if (c.position() == before) c.next();
  }
  g_.pragmas.refuse(c.position());
  c.expect(Tok::kRBrace, "at the end of a block");
  return c.finish(node, begin, items);
}

bool StatementParser::starts_declaration() const {
  const Cursor& c = g_.cursor;
  unsigned ahead = 0;
  while (c.peek(ahead).is(Tok::kExtension)) ahead++;
  const Token& token = c.peek(ahead);
  if (token.is(Tok::kStaticAssert)) return true;
  if (!g_.starts_type(token)) return g_.is_undeclared_type(ahead, true);
  return !(token.is(Tok::kIdentifier) && c.peek(ahead + 1).is(Tok::kColon));
}

Node* StatementParser::block_item() {
  Cursor& c = g_.cursor;
  if (c.at(Tok::kAttribute) || g_.attributes.at_attribute()) return attribute_statement();
  if (!starts_declaration()) return statement();
  const TokenIndex begin = c.position();
  auto* node = c.make<DeclarationStmt>();
  Node* declaration = g_.declarations.in_block();
  return c.finish(node, begin, {declaration});
}

// __attribute__((fallthrough)); or attributes before a declaration or a statement.
Stmt* StatementParser::attribute_statement() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  std::vector<Attribute*> attributes;
  g_.attributes.parse(attributes);
  if (c.accept(Tok::kSemicolon)) return c.finish(c.make<EmptyStmt>(), begin, {});
  if (c.panicking()) return c.finish(c.make<ErrorStmt>(), begin, {});
  if (!starts_declaration()) return statement();
  auto* node = c.make<DeclarationStmt>();
  std::vector<Node*> children;
  for (Attribute* attribute : attributes)
    if (attribute->attribute == AttributeKind::kCleanup) children.push_back(attribute);
  children.push_back(g_.declarations.in_block());
  return c.finish(node, begin, children);
}

Stmt* StatementParser::statement() {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  const TokenIndex begin = c.position();
  const auto simple = [&](Stmt* node, std::string_view word) {
    c.next();
    c.expect(Tok::kSemicolon, "behind '" + std::string(word) + "'");
    return c.finish(node, begin, {});
  };
  switch (c.token().kind) {
    case Tok::kLBrace:
      return compound();
    case Tok::kSemicolon:
      c.next();
      return c.finish(c.make<EmptyStmt>(), begin, {});
    case Tok::kIf:
      return if_statement();
    case Tok::kSwitch:
      return switch_statement();
    case Tok::kWhile:
      return while_statement();
    case Tok::kDo:
      return do_statement();
    case Tok::kFor:
      return for_statement();
    case Tok::kUpcForall:
      return forall_statement();
    case Tok::kGoto:
      return goto_statement();
    case Tok::kContinue:
      return simple(c.make<ContinueStmt>(), "continue");
    case Tok::kBreak:
      return simple(c.make<BreakStmt>(), "break");
    case Tok::kReturn:
      return return_statement();
    case Tok::kCase:
    case Tok::kDefault:
      return labelled_statement();
    case Tok::kAsm:
      return g_.attributes.asm_statement();
    case Tok::kUpcNotify:
      return barrier(NodeKind::kNotify);
    case Tok::kUpcWait:
      return barrier(NodeKind::kWait);
    case Tok::kUpcBarrier:
      return barrier(NodeKind::kBarrier);
    case Tok::kUpcFence:
      return simple(c.make<FenceStmt>(), "upc_fence");
    case Tok::kLabel:
      return local_labels();
    case Tok::kIdentifier:
      return at_label() ? labelled_statement() : expression_statement();
    default:
      if (g_.attributes.at_attribute()) return attribute_statement();
      return expression_statement();
  }
}

bool StatementParser::at_label() const {
  const Cursor& c = g_.cursor;
  return c.at(Tok::kCase) || c.at(Tok::kDefault) || (c.at(Tok::kIdentifier) && c.peek(1).is(Tok::kColon));
}

// A label, case or default without what it labels. `values`: those of a case.
Stmt* StatementParser::label(std::vector<Node*>& values) {
  Cursor& c = g_.cursor;
  if (c.accept(Tok::kDefault)) {
    c.expect(Tok::kColon, "behind 'default'");
    return c.make<DefaultStmt>();
  }
  if (c.accept(Tok::kCase)) {
    values = {g_.expressions.conditional()};
    values.push_back(c.accept(Tok::kEllipsis) ? g_.expressions.conditional() : nullptr);
    c.expect(Tok::kColon, "behind 'case'");
    return c.make<CaseStmt>();
  }
  auto* node = c.make<LabelStmt>();
  node->label = c.token().name;
  c.next();
  c.next();
  g_.attributes.skip();
  return node;
}

// Behind labels: nothing at the end of a block, a declaration (GNU), or a statement. Labels in a row are read
// without nesting deeper.
Stmt* StatementParser::labelled_statement() {
  Cursor& c = g_.cursor;
  struct Label {
    Stmt* node;
    TokenIndex begin;
    std::vector<Node*> values;
  };
  std::vector<Label> labels;
  do {
    labels.push_back({nullptr, c.position(), {}});
    labels.back().node = label(labels.back().values);
  } while (at_label() && !c.panicking());
  Node* inner = c.at(Tok::kRBrace) ? nullptr : block_item();
  for (; !labels.empty(); labels.pop_back()) {
    Label& last = labels.back();
    last.values.push_back(inner);
    inner = c.finish(last.node, last.begin, last.values);
  }
  return static_cast<Stmt*>(inner);
}

Expr* StatementParser::condition(std::string_view keyword) {
  Cursor& c = g_.cursor;
  if (!c.expect(Tok::kLParen, "behind '" + std::string(keyword) + "'"))
    return c.finish(c.make<ErrorExpr>(), c.position(), {});
  Expr* value = g_.expressions.comma();
  c.expect(Tok::kRParen, "behind a condition");
  return value;
}

// The body of a loop or branch; a syntax error in what comes before it ends the statement.
Stmt* StatementParser::body() {
  Cursor& c = g_.cursor;
  if (c.panicking()) return c.finish(c.make<ErrorStmt>(), c.position(), {});
  const TypedefNames::Scope scope(g_.typedefs);
  return statement();
}

// A chain of else if is read without nesting deeper.
Stmt* StatementParser::if_statement() {
  Cursor& c = g_.cursor;
  struct Link {
    IfStmt* node;
    TokenIndex begin;
    Expr* condition;
    Stmt* then_branch;
  };
  std::vector<Link> chain;
  Stmt* last = nullptr;
  for (;;) {
    const TokenIndex begin = c.position();
    auto* node = c.make<IfStmt>();
    c.next();
    Expr* value = condition("if");
    Stmt* then_branch = body();
    chain.push_back({node, begin, value, then_branch});
    if (c.panicking() || !c.accept(Tok::kElse)) break;
    if (c.at(Tok::kIf)) continue;
    last = body();
    break;
  }
  for (; !chain.empty(); chain.pop_back()) {
    const Link& link = chain.back();
    last = c.finish(link.node, link.begin, {link.condition, link.then_branch, last});
  }
  return last;
}

Stmt* StatementParser::switch_statement() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<SwitchStmt>();
  c.next();
  Expr* value = condition("switch");
  Stmt* inner = body();
  return c.finish(node, begin, {value, inner});
}

Stmt* StatementParser::while_statement() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<WhileStmt>();
  c.next();
  Expr* value = condition("while");
  Stmt* inner = body();
  return c.finish(node, begin, {value, inner});
}

Stmt* StatementParser::do_statement() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<DoStmt>();
  c.next();
  Stmt* inner = body();
  c.expect(Tok::kWhile, "behind the body of 'do'");
  Expr* value = condition("while");
  c.expect(Tok::kSemicolon, "behind 'do ... while (...)'");
  return c.finish(node, begin, {inner, value});
}

// The first clause with its semicolon: a declaration, an expression, or null.
Node* StatementParser::for_init() {
  Cursor& c = g_.cursor;
  if (starts_declaration()) return g_.declarations.in_block();
  Node* init = c.at(Tok::kSemicolon) ? nullptr : g_.expressions.comma();
  c.expect(Tok::kSemicolon, "behind the first expression of a loop");
  return init;
}

// After an error in the parentheses of a loop, whose semicolons are not where statements end: behind them.
void StatementParser::end_of_header() {
  Cursor& c = g_.cursor;
  for (unsigned depth = 0; !c.at_end() && !c.at(Tok::kLBrace) && !c.at(Tok::kRBrace); c.next()) {
    if (c.at(Tok::kLParen)) depth++;
    if (!c.at(Tok::kRParen) || depth-- > 0) continue;
    c.next();
    return;
  }
}

Stmt* StatementParser::for_statement() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  const TypedefNames::Scope scope(g_.typedefs);
  auto* node = c.make<ForStmt>();
  c.next();
  c.expect(Tok::kLParen, "behind 'for'");
  Node* init = for_init();
  Expr* value = c.at(Tok::kSemicolon) ? nullptr : g_.expressions.comma();
  c.expect(Tok::kSemicolon, "behind the second expression of 'for'");
  Expr* step = c.at(Tok::kRParen) ? nullptr : g_.expressions.comma();
  if (!c.expect(Tok::kRParen, "behind the third expression of 'for'")) end_of_header();
  Stmt* inner = body();
  return c.finish(node, begin, {init, value, step, inner});
}

Stmt* StatementParser::forall_statement() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  const TypedefNames::Scope scope(g_.typedefs);
  auto* node = c.make<ForallStmt>();
  c.next();
  node->parentheses.begin = c.position();
  c.expect(Tok::kLParen, "behind 'upc_forall'");
  Node* init = for_init();
  Expr* value = c.at(Tok::kSemicolon) ? nullptr : g_.expressions.comma();
  c.expect(Tok::kSemicolon, "behind the second expression of 'upc_forall'");
  Expr* step = c.at(Tok::kSemicolon) || c.at(Tok::kRParen) ? nullptr : g_.expressions.comma();
  c.expect(Tok::kSemicolon,
           "and an affinity, which may be empty, behind the third expression of 'upc_forall'");
  Expr* affinity = nullptr;
  if (c.accept(Tok::kContinue))
    node->affinity_is_continue = true;
  else if (!c.at(Tok::kRParen))
    affinity = g_.expressions.comma();
  if (!c.expect(Tok::kRParen, "behind the affinity of 'upc_forall'")) end_of_header();
  node->parentheses.end = c.position();
  Stmt* inner = body();
  return c.finish(node, begin, {init, value, step, affinity, inner});
}

Stmt* StatementParser::goto_statement() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  c.next();
  if (c.accept(Tok::kStar)) {
    auto* node = c.make<ComputedGoto>();
    Expr* address = g_.expressions.comma();
    c.expect(Tok::kSemicolon, "behind 'goto'");
    return c.finish(node, begin, {address});
  }
  auto* node = c.make<GotoStmt>();
  node->label = c.token().name;
  if (c.expect(Tok::kIdentifier, "behind 'goto'")) c.expect(Tok::kSemicolon, "behind 'goto'");
  return c.finish(node, begin, {});
}

Stmt* StatementParser::return_statement() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<ReturnStmt>();
  c.next();
  Expr* value = c.at(Tok::kSemicolon) ? nullptr : g_.expressions.comma();
  c.expect(Tok::kSemicolon, "behind 'return'");
  return c.finish(node, begin, {value});
}

// Whether what no expression begins with begins a statement or a declaration here.
bool StatementParser::starts_next() const {
  const Tok kind = g_.cursor.token().kind;
  return (kind >= Tok::kIf && kind <= Tok::kUpcFence) || starts_declaration();
}

Stmt* StatementParser::barrier(NodeKind kind) {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<BarrierStmt>(kind);
  const std::string word(spelling(c.token().kind));
  c.next();
  const bool alone = c.at(Tok::kSemicolon) || c.at(Tok::kRBrace) || c.at_end() || starts_next();
  Expr* operand = alone ? nullptr : g_.expressions.comma();
  c.expect(Tok::kSemicolon, "behind '" + word + "'");
  return c.finish(node, begin, {operand});
}

Stmt* StatementParser::local_labels() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<LocalLabels>();
  do {
    c.next();
  } while (c.expect(Tok::kIdentifier, "behind '__label__'") && c.at(Tok::kComma));
  c.expect(Tok::kSemicolon, "behind '__label__'");
  return c.finish(node, begin, {});
}

Stmt* StatementParser::expression_statement() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<ExprStmt>();
  Expr* value = g_.expressions.comma();
  c.expect(Tok::kSemicolon, "behind an expression");
  return c.finish(node, begin, {value});
}

}  // namespace upc2c

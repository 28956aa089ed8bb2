// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/declaration/declarations.hpp"

#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {

Node* DeclarationParser::external() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  const AccessMode mode = g_.pragmas.take(begin);
  if (mode != AccessMode::kNone) {
    auto* node = c.make<ModePragma>();
    node->mode = mode;
    return c.finish(node, begin, {});
  }
  if (c.at_end()) return nullptr;
  Node* node;
  if (c.accept(Tok::kSemicolon))
    node = c.finish(c.make<EmptyDeclaration>(), begin, {});
  else if (at_static_assertion())
    node = static_assertion();
  else if (c.at(Tok::kAsm))
    node = file_asm();
  else
    node = declaration(true);
  if (c.panicking()) {
    c.recover();
    if (c.at(Tok::kRBrace)) c.next();  // a stray one at file scope
    if (c.position() == begin) c.next();
    node->has_error = true;
  }
  return node;
}

Node* DeclarationParser::in_block() {
  return at_static_assertion() ? static_cast<Node*>(static_assertion()) : declaration(false);
}

// _Static_assert, perhaps behind __extension__.
bool DeclarationParser::at_static_assertion() const {
  unsigned ahead = 0;
  while (g_.cursor.peek(ahead).is(Tok::kExtension)) ahead++;
  return g_.cursor.peek(ahead).is(Tok::kStaticAssert);
}

StaticAssert* DeclarationParser::static_assertion() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<StaticAssert>();
  while (c.accept(Tok::kExtension)) {
  }
  c.next();
  c.expect(Tok::kLParen, "behind '_Static_assert'");
  Expr* condition = g_.expressions.conditional();
  if (c.accept(Tok::kComma))
    while (c.at(Tok::kString)) c.next();
  c.expect(Tok::kRParen, "at the end of '_Static_assert'");
  c.expect(Tok::kSemicolon, "behind '_Static_assert (...)'");
  return c.finish(node, begin, {condition});
}

Node* DeclarationParser::file_asm() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<FileAsm>();
  c.next();
  while (c.at(Tok::kVolatile) || c.at(Tok::kInline) || c.at(Tok::kGoto)) c.next();
  if (c.at(Tok::kLParen)) c.skip_balanced();
  c.expect(Tok::kSemicolon, "behind 'asm (...)'");
  return c.finish(node, begin, {});
}

Node* DeclarationParser::declaration(bool at_file_scope) {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  Specifiers* specifiers = g_.specifiers.parse();
  // Without any specifier only an old definition of a function begins: main() { ... }
  if (specifiers->tokens.empty() &&
      !(at_file_scope && (c.at(Tok::kIdentifier) || c.at(Tok::kStar) || c.at(Tok::kLParen)))) {
    c.error("a declaration");
    return c.finish(c.make<ErrorDeclaration>(), begin, {specifiers});
  }
  std::vector<Node*> children = {specifiers};
  if (c.at(Tok::kSemicolon)) specifiers_end_in_name(*specifiers);
  if (c.panicking()) return c.finish(c.make<ErrorDeclaration>(), begin, children);
  while (!c.at(Tok::kSemicolon) && !c.panicking()) {
    const TokenIndex first = c.position();
    Declarator* declarator = g_.declarators.parse(DeclaratorParser::Form::kNamed);
    if (c.panicking()) {
      children.push_back(declarator);
      return c.finish(c.make<ErrorDeclaration>(), begin, children);
    }
    g_.typedefs.declare(declarator->name, specifiers->storage == Tok::kTypedef);
    if (children.size() == 1 && begins_body(*declarator)) return function(specifiers, declarator, begin);
    children.push_back(init_declarator(declarator, first));
    if (!c.accept(Tok::kComma)) break;
    g_.attributes.skip();
  }
  c.expect(Tok::kSemicolon, "at the end of a declaration");
  return c.finish(c.make<Declaration>(), begin, children);
}

void DeclarationParser::specifiers_end_in_name(const Specifiers& specifiers) {
  const TokenIndex last = specifiers.tokens.end - 1;
  if (specifiers.has_type() && is_upc_qualifier(g_.cursor.stream().token(last).kind))
    g_.cursor.error_keyword(last);
}

bool DeclarationParser::begins_body(const Declarator& declarator) const {
  const DeclaratorChunk* chunk = declarator.function_chunk();
  if (chunk == nullptr) return false;
  return g_.cursor.at(Tok::kLBrace) || (!chunk->prototyped && g_.starts_type(g_.cursor.token()));
}

void DeclarationParser::declare_parameters(const Declarator& declarator) {
  const DeclaratorChunk& chunk = *declarator.function_chunk();
  for (const Parameter* p : chunk.parameters) g_.typedefs.declare(p->declarator()->name, false);
  for (const NameId name : chunk.names) g_.typedefs.declare(name, false);
}

Node* DeclarationParser::function(Specifiers* specifiers, Declarator* declarator, TokenIndex begin) {
  Cursor& c = g_.cursor;
  auto* node = c.make<Function>();
  const TypedefNames::Scope scope(g_.typedefs);
  std::vector<Node*> children = {specifiers, declarator};
  while (!c.at(Tok::kLBrace) && g_.starts_type(c.token()) && !c.panicking())
    children.push_back(declaration(false));
  declare_parameters(*declarator);
  Compound* body = nullptr;
  if (!c.at(Tok::kLBrace)) {
    c.error("'{' of the function's body");
  } else if (c.token().origin == Origin::kSystem) {
    node->skipped = true;
    c.skip_balanced();
  } else {
    body = g_.statements.compound();
  }
  children.push_back(body);
  return c.finish(node, begin, children);
}

Node* DeclarationParser::init_declarator(Declarator* declarator, TokenIndex begin) {
  Cursor& c = g_.cursor;
  auto* node = c.make<InitDeclarator>();
  Expr* value = c.accept(Tok::kEqual) ? g_.initializers.parse() : nullptr;
  return c.finish(node, begin, {declarator, value});
}

}  // namespace upc2c

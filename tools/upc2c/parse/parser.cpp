// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/parser.hpp"

#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {

bool Grammar::starts_type(const Token& token) const {
  if (token.is(Tok::kIdentifier)) return typedefs.is_typedef(token.name);
  return token.kind >= Tok::kVoid && token.kind <= Tok::kAlignas;
}

bool Grammar::is_undeclared(unsigned ahead) const {
  const Token& name = cursor.peek(ahead);
  return name.is(Tok::kIdentifier) && name.origin == Origin::kUser && !typedefs.is_declared(name.name) &&
         !cursor.stream().names().text(name.name).starts_with("__");  // the C compiler's own
}

bool Grammar::is_undeclared_type(unsigned ahead, bool among_statements) const {
  if (!is_undeclared(ahead)) return false;
  const Token& next = cursor.peek(ahead + 1);
  if (next.is(Tok::kIdentifier)) return next.origin == Origin::kUser;
  if (!next.is(Tok::kStar)) return false;
  if (!among_statements) return true;
  do ahead++;
  while (cursor.peek(ahead).is(Tok::kStar));
  if (!cursor.peek(ahead).is(Tok::kIdentifier)) return false;
  const Tok behind = cursor.peek(ahead + 1).kind;
  return behind == Tok::kEqual || behind == Tok::kSemicolon || behind == Tok::kComma ||
         behind == Tok::kLBracket;
}

bool Grammar::is_undeclared_cast() const {
  if (!is_undeclared(1)) return false;
  unsigned ahead = 2;
  while (cursor.peek(ahead).is(Tok::kStar)) ahead++;
  return ahead > 2 && cursor.peek(ahead).is(Tok::kRParen);
}

Parser::Parser(TokenStream& stream, Arena& arena, Diagnostics& diagnostics)
    : grammar_(std::make_unique<Grammar>(stream, arena, diagnostics)) {}

Parser::~Parser() = default;

Node* Parser::next_external_declaration() { return grammar_->declarations.external(); }

TranslationUnit* Parser::parse() {
  std::vector<Node*> items;
  while (Node* item = next_external_declaration()) items.push_back(item);
  return grammar_->cursor.finish(grammar_->cursor.make<TranslationUnit>(), 0, items);
}

}  // namespace upc2c

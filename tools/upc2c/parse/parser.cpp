// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/parser.hpp"

#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {

bool Grammar::starts_type(const Token& token) const {
  if (token.is(Tok::kIdentifier)) return typedefs.is_typedef(token.name);
  return token.kind >= Tok::kVoid && token.kind <= Tok::kAlignas;
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

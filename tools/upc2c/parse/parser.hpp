// SPDX-License-Identifier: BSD-3-Clause
// The parser: a token stream to a tree. It knows typedef names and their scopes and nothing else of what
// declarations mean; the checker (check/) walks each external declaration after it. Never fails: what is no C
// or UPC is reported and becomes an error node.
#pragma once
#include <memory>

#include "tools/upc2c/ast/arena.hpp"
#include "tools/upc2c/ast/decl.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

struct Grammar;

class Parser {
 public:
  // All live longer than the tree.
  Parser(TokenStream& stream, Arena& arena, Diagnostics& diagnostics);
  ~Parser();

  // The next declaration of the file, or null at its end.
  Node* next_external_declaration();
  // All of them.
  TranslationUnit* parse();

 private:
  std::unique_ptr<Grammar> grammar_;
};

}  // namespace upc2c

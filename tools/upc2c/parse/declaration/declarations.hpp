// SPDX-License-Identifier: BSD-3-Clause
// Declarations and definitions of functions.
#pragma once
#include <vector>

#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Grammar;

class DeclarationParser {
 public:
  explicit DeclarationParser(Grammar& grammar) : g_(grammar) {}

  // The next external declaration or pragma, or null at the end of the file.
  Node* external();
  // A declaration in a block, with its semicolon; also a nested function.
  Node* in_block();
  StaticAssert* static_assertion();
  bool at_static_assertion() const;
  // Of specifiers behind which a declarator is missing: a keyword of UPC may have been meant to be it.
  void specifiers_end_in_name(const Specifiers& specifiers);

 private:
  Node* declaration(bool at_file_scope);
  bool begins_body(const Declarator& declarator) const;
  Node* function(Specifiers* specifiers, Declarator* declarator, TokenIndex begin);
  void declare_parameters(const Declarator& declarator);
  Node* init_declarator(Declarator* declarator, TokenIndex begin);
  Node* file_asm();

  Grammar& g_;
};

}  // namespace upc2c

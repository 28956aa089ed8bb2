// SPDX-License-Identifier: BSD-3-Clause
// What GNU C allows nearly everywhere: attributes and asm.
#pragma once
#include <vector>

#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Grammar;

class AttributeParser {
 public:
  explicit AttributeParser(Grammar& grammar) : g_(grammar) {}

  bool at_attribute() const;
  // Any number of __attribute__((...)) and [[...]], also none. Those that concern the layout of types are
  // added to `known`, the others are skipped.
  void parse(std::vector<Attribute*>& known);
  void skip();
  // asm ("name") behind a declarator, and attributes around it.
  void parse_after_declarator(std::vector<Attribute*>& known);
  // asm qualifiers ("text" : outputs : inputs : clobbers : labels), with its semicolon.
  Stmt* asm_statement();

 private:
  void parse_list(std::vector<Attribute*>& known);
  void parse_one(std::vector<Attribute*>& known);
  void asm_operands(std::vector<Node*>& operands);

  Grammar& g_;
};

}  // namespace upc2c

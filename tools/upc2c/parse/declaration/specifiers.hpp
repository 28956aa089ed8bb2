// SPDX-License-Identifier: BSD-3-Clause
// Declaration specifiers, qualifiers with layouts, type-names.
#pragma once
#include <vector>

#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Grammar;

class SpecifierParser {
 public:
  explicit SpecifierParser(Grammar& grammar) : g_(grammar) {}

  // All specifiers that stand at the cursor. A typedef name is one only before any other type specifier.
  Specifiers* parse();
  // Qualifiers behind a * or in the brackets of a parameter, with attributes; layout expressions are added to
  // `children`.
  QualifierList qualifiers(std::vector<Node*>& children);
  // Specifiers and an abstract declarator.
  TypeName* type_name();

 private:
  struct State;
  bool parse_one(State& state);
  bool undeclared_type();
  bool parse_qualifier(State& state);
  bool parse_type_word(State& state, Tok kind);
  void parse_typeof(State& state);
  void parse_atomic(State& state);
  void parse_alignas(State& state);
  void second_type(State& state);
  LayoutSpec layout(std::vector<Node*>& children);

  Grammar& g_;
};

}  // namespace upc2c

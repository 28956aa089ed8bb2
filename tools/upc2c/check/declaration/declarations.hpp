// SPDX-License-Identifier: BSD-3-Clause
// Declarations: their symbols, linkage, redeclarations; functions.
#pragma once
#include <unordered_map>

#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {

struct Check;

class Declarations {
 public:
  explicit Declarations(Check& check) : c_(check) {}

  void declare_builtin_types();
  void external(Node* node);
  // A declaration, nested function or assertion in a block.
  void in_block(Node* node);

 private:
  void declaration(Declaration& declaration);
  void declarator(InitDeclarator& node, Specifiers& specifiers, QualType base);
  void function(Function& node);
  void parameters(Function& node);
  void show_types(const Parameter& parameter);
  Symbol* declare(Declarator& declarator, const Specifiers& specifiers, QualType type, bool defines);
  Symbol* previous(const Declarator& declarator, const Specifiers& specifiers, QualType type) const;
  void redeclare(Symbol& symbol, Declarator& declarator, QualType type);
  static void find_section(Symbol& symbol, const Declarator& declarator, const Specifiers& specifiers);
  void link(const Symbol& symbol, const Declarator& declarator, QualType type);
  void typedef_name(Declarator& declarator, const Specifiers& specifiers, QualType type);
  void check_main(const Symbol& symbol);

  Check& c_;
  std::unordered_map<NameId, const Symbol*> linked_;  // the first symbol of each name with external linkage
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Declarations: typedefs, records, parameters, variables, proxies of shared objects.
#pragma once
#include <string>

#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {

struct Lower;

class DeclarationLowering {
 public:
  explicit DeclarationLowering(Lower& lower) : lower_(lower) {}

  // At file scope, in blocks and in the first clause of a for.
  std::string text(const Declaration* declaration);
  // Specifiers and declarator of a definition of a function, with the declarations of K&R parameters.
  // `name`: what it is called in C.
  std::string head(const Function* function, std::string_view name);
  // A part of a declaration: specifiers, records, members, parameters, attributes, static assertions.
  std::string part(const Node* node);
  // The name in C of a name of the program: names of shared statics of functions differ.
  std::string name(const Symbol& symbol);
  // Whether a for with this declaration as its first clause needs a block around it, with the declaration
  // before the for: C has no single declaration for it.
  bool needs_block(const Declaration* declaration);
  // Declarations that stand before the function or declaration at file scope that is being written: what
  // was moved out of functions. Empty after the call.
  std::string drain_hoisted();
  void hoist(const std::string& declaration);
  // Whether an initial value is being written that is moved out of its function.
  bool writes_moved() const { return writes_moved_; }

 private:
  // A declarator with what stands before and behind it in a declaration of its own.
  struct Item {
    std::string prefix;  // storage class and type; "": nothing is to be written
    std::string text;    // declarator, attributes, initialiser
    TokenIndex token = 0;
  };
  bool is_plain(const Declaration& declaration);
  std::string plain(const Declaration& declaration);
  std::vector<Item> items(const Declaration& declaration);
  static std::string joined(const std::vector<Item>& items);
  Item item(const Specifiers& specifiers, const InitDeclarator& node);
  Item proxy(const Specifiers& specifiers, const InitDeclarator& node);
  void move(const Specifiers& specifiers, const InitDeclarator& node);
  std::string declared_for(const Expr* value);
  std::string members(const FieldDeclaration& declaration);
  // The initialiser with " = ", or ""; what UPCRI_INIT assigns is noted.
  std::string initializer(const InitDeclarator& node);
  bool is_assigned(const InitDeclarator& node) const;
  bool is_assigned_const(const Symbol& symbol) const;

  Lower& lower_;
  std::string hoisted_;
  bool writes_moved_ = false;
};

}  // namespace upc2c

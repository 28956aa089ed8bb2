// SPDX-License-Identifier: BSD-3-Clause
// Statements of C, GNU C and UPC.
#pragma once
#include <vector>

#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Grammar;

class StatementParser {
 public:
  explicit StatementParser(Grammar& grammar) : g_(grammar) {}

  // { ... } with a scope of its own.
  Compound* compound();
  Stmt* statement();

 private:
  Node* block_item();
  bool starts_declaration() const;
  bool starts_next() const;
  Stmt* body();
  Expr* condition(std::string_view keyword);
  bool at_label() const;
  Stmt* label(std::vector<Node*>& values);
  Stmt* labelled_statement();
  Stmt* if_statement();
  Stmt* switch_statement();
  Stmt* while_statement();
  Stmt* do_statement();
  void end_of_header();
  Stmt* for_statement();
  Stmt* forall_statement();
  Node* for_init();
  Stmt* goto_statement();
  Stmt* return_statement();
  Stmt* barrier(NodeKind kind);
  Stmt* local_labels();
  Stmt* attribute_statement();
  Stmt* expression_statement();

  Grammar& g_;
};

}  // namespace upc2c

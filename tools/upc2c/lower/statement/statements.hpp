// SPDX-License-Identifier: BSD-3-Clause
// Statements. Most are their tokens with the texts of their parts; those of UPC become calls.
#pragma once
#include <string>
#include <unordered_set>

#include "tools/upc2c/ast/stmt.hpp"

namespace upc2c {

struct Lower;

class StatementLowering {
 public:
  explicit StatementLowering(Lower& lower) : lower_(lower) {}

  std::string text(const Stmt* statement);
  // A statement that is a part of another one: it may become several.
  std::string body(const Stmt* statement);

 private:
  std::string compound(const Compound* block);
  std::string labelled(const Stmt* label);
  std::string if_chain(const IfStmt* link);
  std::string with_condition(const Stmt* statement, const Expr* condition);
  std::string loop(const Stmt* statement);
  std::string for_statement(const ForStmt* statement);
  std::string barrier(const BarrierStmt* statement);
  // UPCR_SET_SRCPOS(...) for a statement that has UPC in it, or "".
  std::string source_position(const Node* statement);

  Lower& lower_;
  std::unordered_set<const Node*> pragma_nest_;  // loops that a pragma before the one around them may concern
};

}  // namespace upc2c

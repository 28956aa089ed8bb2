// SPDX-License-Identifier: BSD-3-Clause
// Statements, with the rules of barriers and upc_forall.
#pragma once
#include <vector>

#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {

struct Check;

class Statements {
 public:
  explicit Statements(Check& check) : c_(check) {}

  void function_body(Function& function);
  void compound(Compound& block);

 private:
  // What a break or continue leaves or repeats.
  struct Loop {
    bool is_switch = false;
    const ForallStmt* forall = nullptr;
  };
  void items(Compound& block);
  void statement(Node* node);
  void loop(Stmt* body, bool is_switch, const ForallStmt* forall);
  void for_statement(ForStmt& node);
  void forall(ForallStmt& node);
  void affinity(ForallStmt& node);
  void barrier(BarrierStmt& node);
  void barrier_order(const Compound& block);
  void return_statement(ReturnStmt& node);
  void asm_statement(AsmStmt& node);
  // upc_forall with affinity around the statement, the innermost one.
  const ForallStmt* innermost_forall() const;
  std::vector<const ForallStmt*> foralls() const;
  void label(Node& node);
  void enters_by(const Stmt& label);
  void check_jumps();
  void leaves_forall(const Stmt& node, std::string_view word);

  Check& c_;
  std::vector<Loop> loops_;
  // Jumps and labels of the function, with the loops around them.
  struct Jump {
    const Stmt* node;
    NameId label;
    std::vector<const ForallStmt*> foralls;
  };
  std::vector<Jump> gotos_, labels_;
};

}  // namespace upc2c

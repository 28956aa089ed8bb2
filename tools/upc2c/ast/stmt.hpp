// SPDX-License-Identifier: BSD-3-Clause
// Statements.
#pragma once
#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

struct LocalLabels;

struct Stmt : Node {
  explicit Stmt(NodeKind k) : Node(k) {}
  static bool fits(NodeKind k) { return k > NodeKind::kLastExpr && k <= NodeKind::kLastStmt; }

  Expr* expr(std::size_t i) const { return static_cast<Expr*>(child(i)); }
  Stmt* stmt(std::size_t i) const { return static_cast<Stmt*>(child(i)); }
};

// Statements and declarations; nested functions are declarations (kFunction).
struct Compound : NodeOf<NodeKind::kCompound, Stmt> {
  AccessMode mode = AccessMode::kNone;  // of a #pragma upc at its head
  std::span<Node* const> items() const { return children(); }
};
// A kDeclaration, kFunction or kStaticAssert as a statement; last of its children. Before it: attributes
// cleanup that stand in front of it.
struct DeclarationStmt : NodeOf<NodeKind::kDeclarationStmt, Stmt> {
  Node* declaration() const { return child(child_count - 1); }
};
struct ExprStmt : NodeOf<NodeKind::kExprStmt, Stmt> {
  Expr* value() const { return expr(0); }
};
struct EmptyStmt : NodeOf<NodeKind::kEmpty, Stmt> {};
struct IfStmt : NodeOf<NodeKind::kIf, Stmt> {
  Expr* condition() const { return expr(0); }
  Stmt* then_branch() const { return stmt(1); }
  Stmt* else_branch() const { return stmt(2); }  // or null
};
struct SwitchStmt : NodeOf<NodeKind::kSwitch, Stmt> {
  Expr* condition() const { return expr(0); }
  Stmt* body() const { return stmt(1); }
};
struct WhileStmt : NodeOf<NodeKind::kWhile, Stmt> {
  Expr* condition() const { return expr(0); }
  Stmt* body() const { return stmt(1); }
};
struct DoStmt : NodeOf<NodeKind::kDo, Stmt> {
  Stmt* body() const { return stmt(0); }
  Expr* condition() const { return expr(1); }
};
struct ForStmt : NodeOf<NodeKind::kFor, Stmt> {
  Node* init() const { return child(0); }  // an expression, a kDeclaration, or null
  Expr* condition() const { return expr(1); }
  Expr* step() const { return expr(2); }
  Stmt* body() const { return stmt(3); }
};
struct ForallStmt : NodeOf<NodeKind::kForall, Stmt> {
  bool affinity_is_continue = false;
  TokenRange parentheses;  // from ( to )
  Node* init() const { return child(0); }
  Expr* condition() const { return expr(1); }
  Expr* step() const { return expr(2); }
  Expr* affinity() const { return expr(3); }  // null for none and for `continue`
  Stmt* body() const { return stmt(4); }
};
struct GotoStmt : NodeOf<NodeKind::kGoto, Stmt> {
  NameId label = 0;
};
struct ComputedGoto : NodeOf<NodeKind::kComputedGoto, Stmt> {
  Expr* address() const { return expr(0); }
};
struct ContinueStmt : NodeOf<NodeKind::kContinue, Stmt> {};
struct BreakStmt : NodeOf<NodeKind::kBreak, Stmt> {};
struct ReturnStmt : NodeOf<NodeKind::kReturn, Stmt> {
  Expr* value() const { return expr(0); }  // or null
};
struct LabelStmt : NodeOf<NodeKind::kLabel, Stmt> {
  NameId label = 0;
  Stmt* body() const { return stmt(0); }  // null: at the end of a block
};
struct CaseStmt : NodeOf<NodeKind::kCase, Stmt> {
  Expr* low() const { return expr(0); }
  Expr* high() const { return expr(1); }  // null but in case ranges
  Stmt* body() const { return stmt(2); }  // null: at the end of a block
};
struct DefaultStmt : NodeOf<NodeKind::kDefault, Stmt> {
  Stmt* body() const { return stmt(0); }
};
// Children: operands, in order.
struct AsmStmt : NodeOf<NodeKind::kAsm, Stmt> {
  std::uint32_t output_count = 0;
};
// upc_notify, upc_wait, upc_barrier; the operand may be left out.
struct BarrierStmt : Stmt {
  explicit BarrierStmt(NodeKind k) : Stmt(k) {}
  static bool fits(NodeKind k) { return k >= NodeKind::kNotify && k <= NodeKind::kBarrier; }
  Expr* operand() const { return expr(0); }
};
struct FenceStmt : NodeOf<NodeKind::kFence, Stmt> {};
struct LocalLabels : NodeOf<NodeKind::kLocalLabels, Stmt> {};
struct ErrorStmt : NodeOf<NodeKind::kErrorStmt, Stmt> {};

}  // namespace upc2c

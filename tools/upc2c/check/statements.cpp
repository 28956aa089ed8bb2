// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/statements.hpp"

#include <algorithm>

#include "tools/upc2c/check/check.hpp"

namespace upc2c {
namespace {

bool collective(std::string_view name) { return name.starts_with("upc_all_"); }

std::string_view word_of(NodeKind kind) {
  return kind == NodeKind::kNotify ? "upc_notify" : kind == NodeKind::kWait ? "upc_wait" : "upc_barrier";
}

}  // namespace

void Statements::function_body(Function& function) {
  std::vector<Loop> outer;
  std::swap(outer, loops_);  // a nested function is in no loop of the one around it
  std::vector<Jump> outer_gotos, outer_labels;
  std::swap(outer_gotos, gotos_);
  std::swap(outer_labels, labels_);
  const AccessMode mode = c_.mode;
  if (function.body()->mode != AccessMode::kNone) c_.mode = function.body()->mode;
  items(*function.body());
  check_jumps();
  c_.mode = mode;
  std::swap(outer, loops_);
  std::swap(outer_gotos, gotos_);
  std::swap(outer_labels, labels_);
}

std::vector<const ForallStmt*> Statements::foralls() const {
  std::vector<const ForallStmt*> out;
  for (const Loop& loop : loops_)
    if (loop.forall != nullptr) out.push_back(loop.forall);
  return out;
}

// Of a goto and its label each has a loop around it that the other has not: it leaves or enters that one.
void Statements::check_jumps() {
  const auto lacks = [](const Jump& jump, const ForallStmt* loop) {
    return std::find(jump.foralls.begin(), jump.foralls.end(), loop) == jump.foralls.end();
  };
  for (const Jump& jump : gotos_)
    for (const Jump& label : labels_) {
      if (label.label != jump.label) continue;
      for (const ForallStmt* loop : jump.foralls)
        if (lacks(label, loop)) leaves_forall(*jump.node, "goto");
      for (const ForallStmt* loop : label.foralls)
        if (lacks(jump, loop))
          c_.report(Diag::kForEnter, jump.node->tokens.begin, "entering upc_forall by 'goto' is undefined")
              .note(Mark(label.node->tokens.begin), "the label");
    }
}

// A label of a switch around the loop.
void Statements::enters_by(const Stmt& node) {
  for (std::size_t i = loops_.size(); i > 0 && !loops_[i - 1].is_switch; i--)
    if (loops_[i - 1].forall != nullptr) {
      c_.report(Diag::kForEnter, node.tokens.begin, "entering upc_forall by '%' is undefined",
                {node.is(NodeKind::kCase) ? "case" : "default"});
      return;
    }
}

void Statements::compound(Compound& block) {
  const Scopes::Scope scope(c_.scopes);
  const AccessMode mode = c_.mode;
  if (block.mode != AccessMode::kNone) c_.mode = block.mode;
  items(block);
  c_.mode = mode;
}

void Statements::items(Compound& block) {
  for (Node* item : block.items()) statement(item);
  barrier_order(block);
}

// In a straight line of statements, notify and wait alternate.
void Statements::barrier_order(const Compound& block) {
  NodeKind last = NodeKind::kErrorStmt;
  for (const Node* item : block.items()) {
    if (item->is(NodeKind::kNotify) || item->is(NodeKind::kWait)) {
      if (item->kind == last)
        c_.report(Diag::kBarOrder, item->tokens.begin,
                  item->is(NodeKind::kNotify) ? "upc_notify follows upc_notify without upc_wait"
                                              : "upc_wait follows upc_wait without upc_notify");
      last = item->kind;
    } else if (item->is(NodeKind::kBarrier)) {
      if (last == NodeKind::kNotify)
        c_.report(Diag::kBarOrder, item->tokens.begin, "upc_barrier between upc_notify and upc_wait");
      last = NodeKind::kErrorStmt;
    } else if (!item->is(NodeKind::kExprStmt) && !item->is(NodeKind::kDeclarationStmt) &&
               !item->is(NodeKind::kEmpty) && !item->is(NodeKind::kFence)) {
      last = NodeKind::kErrorStmt;  // control flow: not known
    }
  }
}

void Statements::statement(Node* node) {
  if (node == nullptr) return;
  const auto value = [&](Expr* expr) {
    if (expr != nullptr) c_.expressions.value(*expr);
  };
  switch (node->kind) {
    case NodeKind::kCompound:
      return compound(*as<Compound>(node));
    case NodeKind::kDeclarationStmt:
      return c_.declarations.in_block(as<DeclarationStmt>(node)->declaration());
    case NodeKind::kExprStmt: {
      auto& expr = *as<ExprStmt>(node)->value();
      c_.expressions.check(expr, Use::kDiscarded);
      // A shared object that stands alone is read.
      if (expr.is_lvalue() && expr.type.is_shared()) c_.expressions.value(expr);
      if (innermost_forall() != nullptr)
        if (const auto* call = cast_if<CallExpr>(&expr))
          if (const auto* name = cast_if<NameExpr>(call->callee());
              name != nullptr && collective(c_.text(name->name)))
            c_.report(Diag::kForCollective, Mark(expr.tokens),
                      "'%' is collective, and not all threads execute this iteration", {c_.text(name->name)});
      return;
    }
    case NodeKind::kIf:
      // Chains of else if are long in generated programs.
      for (auto* link = as<IfStmt>(node); link != nullptr;) {
        c_.expressions.condition(*link->condition());
        statement(link->then_branch());
        auto* next = cast_if<IfStmt>(link->else_branch());
        if (next == nullptr) statement(link->else_branch());
        link = next;
      }
      return;
    case NodeKind::kSwitch: {
      const Expr& condition = *as<SwitchStmt>(node)->condition();
      value(as<SwitchStmt>(node)->condition());
      c_.operators.refuse_pointer_to_shared(condition, "the condition of a switch");
      if (condition.target.is_record() || condition.target.is_floating())
        c_.report(Diag::kOperand, Mark(condition.tokens),
                  "the condition of a switch is an integer, and this is %", {quoted(condition.target)});
      return loop(as<SwitchStmt>(node)->body(), true, nullptr);
    }
    case NodeKind::kWhile:
      c_.expressions.condition(*as<WhileStmt>(node)->condition());
      return loop(as<WhileStmt>(node)->body(), false, nullptr);
    case NodeKind::kDo:
      loop(as<DoStmt>(node)->body(), false, nullptr);
      return c_.expressions.condition(*as<DoStmt>(node)->condition());
    case NodeKind::kFor:
      return for_statement(*as<ForStmt>(node));
    case NodeKind::kForall:
      return forall(*as<ForallStmt>(node));
    case NodeKind::kComputedGoto:
      return value(as<ComputedGoto>(node)->address());
    case NodeKind::kBreak:
      if (!loops_.empty() && loops_.back().forall != nullptr) leaves_forall(*as<BreakStmt>(node), "break");
      return;
    case NodeKind::kReturn:
      return return_statement(*as<ReturnStmt>(node));
    case NodeKind::kGoto:
      gotos_.push_back({as<GotoStmt>(node), as<GotoStmt>(node)->label, foralls()});
      return;
    case NodeKind::kLabel:
    case NodeKind::kCase:
    case NodeKind::kDefault:
      // There are many in a row in generated programs.
      for (; node != nullptr && is_label(*node); node = node->child(node->child_count - 1)) label(*node);
      return statement(node);
    case NodeKind::kAsm:
      return asm_statement(*as<AsmStmt>(node));
    case NodeKind::kNotify:
    case NodeKind::kWait:
    case NodeKind::kBarrier:
      return barrier(*as<BarrierStmt>(node));
    default:
      return;
  }
}

void Statements::label(Node& node) {
  if (const auto* named = cast_if<LabelStmt>(&node)) {
    labels_.push_back({named, named->label, foralls()});
    return;
  }
  enters_by(*as<Stmt>(&node));
  const auto* one = cast_if<CaseStmt>(&node);
  if (one == nullptr) return;
  for (Expr* value : {one->low(), one->high()}) {
    if (value == nullptr) continue;
    c_.expressions.value(*value);
    c_.require_constant(*value, "a case label");
  }
}

void Statements::loop(Stmt* body, bool is_switch, const ForallStmt* forall) {
  const Scopes::Scope scope(c_.scopes);
  loops_.push_back({is_switch, forall});
  statement(body);
  loops_.pop_back();
}

void Statements::for_statement(ForStmt& node) {
  const Scopes::Scope scope(c_.scopes);
  if (auto* expr = cast_if<Expr>(node.init()))
    c_.expressions.check(*expr, Use::kDiscarded);
  else if (node.init() != nullptr)
    c_.declarations.in_block(node.init());
  if (node.condition() != nullptr) c_.expressions.condition(*node.condition());
  if (node.step() != nullptr) c_.expressions.check(*node.step(), Use::kDiscarded);
  loop(node.body(), false, nullptr);
}

void Statements::forall(ForallStmt& node) {
  const Scopes::Scope scope(c_.scopes);
  node.has_upc = true;
  if (const ForallStmt* outer = innermost_forall(); outer != nullptr && node.affinity() != nullptr)
    c_.report(Diag::kForNested, node.tokens.begin, "the affinity of an upc_forall in another one is ignored")
        .note(Mark(outer->tokens.begin), "the outer one");
  if (auto* expr = cast_if<Expr>(node.init()))
    c_.expressions.check(*expr, Use::kDiscarded);
  else if (node.init() != nullptr)
    c_.declarations.in_block(node.init());
  if (node.condition() != nullptr) c_.expressions.condition(*node.condition());
  if (node.step() != nullptr) c_.expressions.check(*node.step(), Use::kDiscarded);
  if (node.affinity() != nullptr) affinity(node);
  loop(node.body(), false, &node);
}

void Statements::affinity(ForallStmt& node) {
  Expr& expr = *node.affinity();
  const QualType type = c_.expressions.value(expr);
  if (type.is_unknown())
    c_.report_unknown(expr);
  else if (!type.is_integer() && !type.is_pointer_to_shared())
    c_.report(Diag::kForType, Mark(expr.tokens),
              "the affinity of upc_forall has type %; an integer or a pointer-to-shared is needed",
              {quoted(type)});
  if (const auto value = Constants::integer(&expr); value && *value < 0)
    c_.report(Diag::kForNegative, Mark(expr.tokens), "the affinity of upc_forall is negative");
}

const ForallStmt* Statements::innermost_forall() const {
  for (std::size_t i = loops_.size(); i > 0; i--)
    if (loops_[i - 1].forall != nullptr && loops_[i - 1].forall->affinity() != nullptr)
      return loops_[i - 1].forall;
  return nullptr;
}

void Statements::leaves_forall(const Stmt& node, std::string_view word) {
  c_.report(Diag::kForExit, node.tokens.begin, "leaving upc_forall by '%' is undefined", {word});
}

void Statements::barrier(BarrierStmt& node) {
  node.has_upc = true;
  if (innermost_forall() != nullptr)
    c_.report(Diag::kForCollective, node.tokens.begin,
              "'%' is collective, and not all threads execute this iteration", {word_of(node.kind)});
  Expr* operand = node.operand();
  if (operand == nullptr) return;
  const QualType type = c_.expressions.value(*operand);
  if (!type.is_arithmetic() && !type.is_unknown())
    c_.report(Diag::kBarType, Mark(operand->tokens),
              "operand of '%' has type %, which does not convert to int", {word_of(node.kind), quoted(type)});
  else
    c_.conversions.set_target(*operand, c_.types.int_type());
}

void Statements::return_statement(ReturnStmt& node) {
  for (const Loop& outer : loops_)
    if (outer.forall != nullptr) {
      leaves_forall(node, "return");
      break;
    }
  if (node.value() == nullptr) return;
  c_.expressions.value(*node.value());
  if (c_.function == nullptr) return;
  const QualType type = c_.function->declarator()->type, given = node.value()->target;
  // Of private values the C compiler reports it.
  if (type.is_function() && type->inner.is_void() && node.value()->has_upc && !given.is_void() &&
      !given.is_unknown())
    c_.report(Diag::kConversion, Mark(node.value()->tokens), "a function that returns void returns a value")
        .label(Mark(node.value()->tokens), quoted(given));
  if (type.is_function() && !type->inner.is_void())
    c_.conversions.assign(*node.value(), type->inner.unqualified(), Mark(node.value()->tokens),
                          "a return value");
}

void Statements::asm_statement(AsmStmt& node) {
  std::uint32_t number = 0;
  for (Node* child : node.children()) {
    auto& operand = *as<Expr>(child);
    c_.expressions.check(operand, number++ < node.output_count ? Use::kUpdated : Use::kRead);
    if ((operand.is_lvalue() && operand.type.is_shared()) || operand.target.is_pointer_to_shared())
      c_.report(Diag::kShrBuiltin, Mark(operand.tokens),
                "an operand of asm is private: no shared object and no pointer-to-shared");
  }
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/block/events.hpp"

#include <utility>

#include "tools/upc2c/analysis/facts.hpp"
#include "tools/upc2c/analysis/inductions.hpp"
#include "tools/upc2c/ast/decl.hpp"
#include "tools/upc2c/ast/walk.hpp"

namespace upc2c {
namespace {

bool is_strict(const Expr* access) {
  return access->mode == AccessMode::kStrict ||
         (access->mode == AccessMode::kNone && access->type.has(kStrict));
}

bool is_increment(const Expr* expr) {
  const auto* unary = cast_if<UnaryExpr>(expr);
  return unary != nullptr && unary->op >= UnaryOp::kPreIncrement && unary->op <= UnaryOp::kPostDecrement;
}

// Whether a part of a declaration or a type does more than read private objects: a bound of an array may.
bool may_act(const Node* root) {
  return find_below(root, [](const Node* node) {
           if (!node->is_expr()) return false;
           const auto* expr = static_cast<const Expr*>(node);
           return expr->is_shared_access() || is_increment(expr) || expr->is(NodeKind::kAssign) ||
                  expr->is(NodeKind::kCall) || expr->is(NodeKind::kStatementExpr) ||
                  expr->is(NodeKind::kVaArg);
         }) != nullptr;
}

// Whether an item declares a tag or enumerators, whose names the text of what is read behind it may have.
bool declares_type(const Node* item) {
  if (const auto* statement = cast_if<DeclarationStmt>(item))
    if (const auto* declaration = cast_if<Declaration>(statement->declaration());
        declaration != nullptr && declaration->declarators().empty())
      return true;
  return find_below(item, [](const Node* node) {
           const auto* record = cast_if<RecordSpec>(node);
           const auto* enumeration = cast_if<EnumSpec>(node);
           return (record != nullptr && record->defined) || (enumeration != nullptr && enumeration->defined);
         }) != nullptr;
}

// Of builtins, and of what is not called by its name.
bool may_not_evaluate_operands(const CallExpr& call) {
  const auto* name = cast_if<NameExpr>(plain_part(call.callee()));
  return name == nullptr || name->symbol == nullptr || name->symbol->text.starts_with("__builtin_");
}

class Order {
 public:
  void item(const Node* node) {
    switch (node->kind) {
      case NodeKind::kEmpty:
        return;
      case NodeKind::kExprStmt:
        return expression(as<ExprStmt>(node)->value(), true);
      case NodeKind::kDeclarationStmt:
        return declaration(as<DeclarationStmt>(node)->declaration());
      case NodeKind::kIf:
        expression(as<IfStmt>(node)->condition(), true);
        events_.push_back({Event::Kind::kBranches, nullptr, nullptr, true});
        return order();
      case NodeKind::kSwitch:
        expression(as<SwitchStmt>(node)->condition(), true);
        return order();
      case NodeKind::kReturn:
        expression(as<ReturnStmt>(node)->value(), true);
        return order();
      default:
        return order();
    }
  }

  std::vector<Event> take() { return std::move(events_); }

 private:
  void order() { events_.push_back({}); }

  void declaration(const Node* node) {
    const auto* declaration = cast_if<Declaration>(node);
    if (declaration == nullptr) return order();
    const Specifiers& specifiers = *declaration->specifiers();
    const bool automatic = specifiers.storage == Tok::kEnd || specifiers.storage == Tok::kAuto ||
                           specifiers.storage == Tok::kRegister;
    if (!automatic || specifiers.thread_local_storage || may_act(&specifiers)) return order();
    for (const Node* child : declaration->declarators()) {
      const auto& declared = *as<InitDeclarator>(child);
      if (may_act(declared.declarator())) order();
      expression(declared.initializer(), true);
      events_.push_back({Event::Kind::kAssigned, nullptr, declared.declarator()->symbol});
    }
  }

  void parts(const Expr* expr, bool always) {
    for (const Node* part : expr->children()) {
      if (part == nullptr) continue;
      if (!part->is_expr()) {
        order();
        continue;
      }
      expression(static_cast<const Expr*>(part), always);
    }
  }

  void expression(const Expr* expr, bool always) {
    if (expr == nullptr || expr->use == Use::kUnevaluated) return;
    switch (expr->kind) {
      case NodeKind::kNumber:
      case NodeKind::kCharacter:
      case NodeKind::kString:
      case NodeKind::kThreads:
      case NodeKind::kMythread:
      case NodeKind::kFieldDesignator:
      case NodeKind::kRangeDesignator:
        return;
      case NodeKind::kName:
        break;
      case NodeKind::kParen:
      case NodeKind::kIndex:
      case NodeKind::kMember:
      case NodeKind::kInitList:
      case NodeKind::kDesignatedInit:
        parts(expr, always);
        break;
      case NodeKind::kUnary:
        if (as<UnaryExpr>(expr)->op == UnaryOp::kLabelAddress) return order();
        expression(as<UnaryExpr>(expr)->operand(), always);
        if (is_increment(expr)) change(as<UnaryExpr>(expr)->operand(), always);
        break;
      case NodeKind::kBinary: {
        const auto& binary = *as<BinaryExpr>(expr);
        const bool lazy = binary.op == BinaryOp::kLogicalAnd || binary.op == BinaryOp::kLogicalOr;
        expression(binary.left(), always);
        expression(binary.right(), always && !lazy);
        break;
      }
      case NodeKind::kConditional: {
        const auto& choice = *as<ConditionalExpr>(expr);
        expression(choice.condition(), always);
        expression(choice.then_value(), false);
        expression(choice.else_value(), false);
        break;
      }
      case NodeKind::kAssign:
        expression(as<AssignExpr>(expr)->left(), always);
        expression(as<AssignExpr>(expr)->right(), always);
        change(as<AssignExpr>(expr)->left(), always);
        break;
      case NodeKind::kCast:
        if (may_act(as<CastExpr>(expr)->type_name())) order();
        expression(as<CastExpr>(expr)->operand(), always);
        break;
      case NodeKind::kCall:
        if (may_not_evaluate_operands(*as<CallExpr>(expr))) return order();
        parts(expr, always);
        if (!only_computes(*as<CallExpr>(expr))) order();
        break;
      case NodeKind::kSizeQuery:
        if (expr->value == nullptr) order();
        return;
      default:
        return order();
    }
    read(expr, always);
  }

  void read(const Expr* expr, bool always) {
    const bool touched = expr->use == Use::kRead || expr->use == Use::kDiscarded;
    if (!touched || !expr->is_lvalue() || expr->transparent || !expr->type.is_shared() ||
        expr->type.is_array())
      return;
    if (is_strict(expr)) return order();
    if (expr->use == Use::kRead) events_.push_back({Event::Kind::kRead, expr, nullptr, always});
  }

  void change(const Expr* lvalue, bool always) {
    lvalue = plain_part(lvalue);
    if (lvalue->type.is_shared()) {
      if (is_strict(lvalue)) return order();
      events_.push_back({Event::Kind::kWrite, lvalue, nullptr, always});
      return;
    }
    const NameExpr* name = named_object(lvalue);
    if (name == nullptr)
      events_.push_back({Event::Kind::kStored, nullptr, nullptr, always});
    else
      events_.push_back({Event::Kind::kAssigned, nullptr, name->symbol, always});
  }

  std::vector<Event> events_;
};

}  // namespace

std::vector<Event> events_of(const Node* item, const TokenStream& stream) {
  if (has_pragmas(item->tokens, stream) && !item->is(NodeKind::kEmpty)) return {Event{}};
  if (declares_type(item)) return {Event{}};
  Order order;
  order.item(item);
  return order.take();
}

}  // namespace upc2c

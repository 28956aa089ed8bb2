// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/loop/later_update.hpp"

#include <unordered_set>

#include "tools/upc2c/analysis/always.hpp"
#include "tools/upc2c/analysis/references.hpp"
#include "tools/upc2c/analysis/walk.hpp"
#include "tools/upc2c/ast/decl.hpp"
#include "tools/upc2c/ast/plain_part.hpp"
#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/ast/walk.hpp"
#include "tools/upc2c/place/atomics.hpp"
#include "tools/upc2c/type/compat.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

std::int64_t bytes(QualType type) {
  const auto size = size_of(type);
  return size && !size->threads ? size->factor : 0;
}

// Whether an operand of the type may be converted to the element's before the operation: then the result is
// the same, and overflows only where it did.
bool converts(QualType operand, QualType element, const Target& target) {
  const auto is_plain = [](QualType type) { return type.is(TypeKind::kFloat) || type.is(TypeKind::kDouble); };
  if (element.is_floating())
    return is_plain(element) && (operand.is_integer() || is_plain(operand)) &&
           bytes(operand) <= (operand.is_integer() ? 8 : bytes(element));
  if (!element.is_integer() || !operand.is_integer() || bytes(operand) > 8) return false;
  return is_unsigned(element, target) || bytes(element) < 4 || bytes(operand) < bytes(element) ||
         (bytes(operand) == bytes(element) && !is_unsigned(operand, target));
}

bool may_be_later(BinaryOp op, QualType element) {
  switch (op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSubtract:
    case BinaryOp::kMultiply:
    case BinaryOp::kBitAnd:
    case BinaryOp::kBitXor:
    case BinaryOp::kBitOr:
      return true;
    case BinaryOp::kDivide:
      return element.is_floating();
    default:
      return false;
  }
}

// The update that a statement is, of the element and no other.
LaterUpdate update_of(const Expr* expr, const Expr* lvalue, const Target& target) {
  expr = plain_part(expr);
  const QualType type = lvalue->type.unqualified();
  if (expr->use != Use::kDiscarded || type.is(TypeKind::kBool)) return {};
  LaterUpdate found;
  found.update = expr;
  found.lvalue = lvalue;
  if (const auto* assign = cast_if<AssignExpr>(expr)) {
    found.op = assign->op;
    found.operand = assign->right();
    if (!assign->compound || plain_part(assign->left()) != lvalue || !may_be_later(assign->op, type))
      return {};
    return converts(found.operand->type, type, target) ? found : LaterUpdate{};
  }
  if (const auto* unary = cast_if<UnaryExpr>(expr)) {
    const bool more = unary->op == UnaryOp::kPreIncrement || unary->op == UnaryOp::kPostIncrement;
    const bool less = unary->op == UnaryOp::kPreDecrement || unary->op == UnaryOp::kPostDecrement;
    if ((!more && !less) || plain_part(unary->operand()) != lvalue || !type.is_arithmetic()) return {};
    found.op = more ? BinaryOp::kAdd : BinaryOp::kSubtract;
    return found;
  }
  const auto* call = cast_if<CallExpr>(expr);
  if (call == nullptr || call->arguments().size() != 2) return {};
  const AtomicObject on = relaxed_atomic(*call);
  if (!on || on.pointed || on.object != lvalue || !type.is_integer()) return {};
  if (bytes(type) != static_cast<std::int64_t>(combined_bytes(*call))) return {};
  found.atomic = true;
  found.operand = static_cast<const Expr*>(call->arguments()[1]);
  return found.operand->type.is_integer() ? found : LaterUpdate{};
}

// The pointer variable that leads to a private object: p of p[i].m, p->m[i] and *(p + i). Null if it is
// another pointer, which the program computes or reads.
const NameExpr* pointer_to(const Expr* lvalue) {
  for (;;) {
    lvalue = plain_part(lvalue);
    const Expr* pointer = nullptr;
    if (const auto* member = cast_if<MemberExpr>(lvalue)) {
      if (!member->arrow) {
        lvalue = member->base();
        continue;
      }
      pointer = member->base();
    } else if (const auto* index = cast_if<IndexExpr>(lvalue)) {
      if (index->base()->type.is_array()) {
        lvalue = index->base();
        continue;
      }
      pointer = index->base();
    } else if (const auto* unary = cast_if<UnaryExpr>(lvalue);
               unary != nullptr && unary->op == UnaryOp::kDereference) {
      pointer = plain_part(unary->operand());
      if (const auto* sum = cast_if<BinaryExpr>(pointer); sum != nullptr && sum->op == BinaryOp::kAdd)
        pointer = sum->left()->type.is_pointer() ? sum->left() : sum->right();
    }
    return pointer == nullptr ? nullptr : cast_if<NameExpr>(plain_part(pointer));
  }
}

// Does a variable have a value from its declaration on? (One with static storage may be of another language's
// code, which has it for one thread of the process alone.)
bool is_initialized(const Symbol& symbol) {
  if (symbol.kind == SymbolKind::kParameter) return true;
  const auto* declared = symbol.definition == nullptr ? nullptr : cast_if<InitDeclarator>(symbol.definition);
  return !symbol.static_storage && declared != nullptr && declared->initializer() != nullptr;
}

// Whether parts of a loop may see that an update is done later.
class Observers {
 public:
  Observers(const BodyFacts& facts, LaterUpdate& later) : facts_(facts), later_(later) {}

  // Notes the pointers that must be known not to lead to the update.
  bool may_see(const Node* part) {
    always_ = always_evaluated(part);
    return may_see(part, true);
  }

 private:
  bool may_see(const Node* part, bool in_loop) {
    bool sees = false;
    for_each_node(part, [&](const Node& node) {
      if (sees || !node.is_expr()) return;
      const auto& expr = static_cast<const Expr&>(node);
      if (expr.is_shared_access()) sees |= &expr != later_.lvalue;
      if (node.is(NodeKind::kVaArg)) sees = true;
      if (const auto* call = cast_if<CallExpr>(&node); call != nullptr && call != later_.update)
        sees |= may_see(*call);
      // Private pointers may point to shared memory, and upcc's programs may read all as any type.
      const bool reads = (expr.use == Use::kRead || expr.use == Use::kUpdated) && expr.is_lvalue() &&
                         !expr.transparent && !expr.type.is_shared() && !expr.type.is_array();
      if (!sees && reads && named_object(&expr) == nullptr) sees = !in_loop || !note(expr);
    });
    return sees;
  }

  // A function that only computes, or one of the file that calls no other than such functions.
  bool may_see(const CallExpr& call) {
    if (!only_computes(call)) return true;
    const auto* callee = cast_if<NameExpr>(call.callee());
    const auto* definition = callee == nullptr || callee->symbol == nullptr
                                 ? nullptr
                                 : cast_if<Function>(callee->symbol->definition);
    return definition != nullptr && may_see(definition->body(), false);
  }

  // Whether the pointer by which this is read stays the same in the loop and has a value, so that it can be
  // asked about before.
  bool note(const Expr& read) {
    const NameExpr* const pointer = pointer_to(&read);
    if (pointer == nullptr || pointer->symbol == nullptr || !pointer->type.is_pointer()) return false;
    if (pointer->type.has(kVolatile) || facts_.assigned.contains(pointer->symbol) ||
        facts_.declared.contains(pointer->symbol))
      return false;
    if (always_.count(&read) == 0 && !is_initialized(*pointer->symbol)) return false;
    for (const NameExpr* other : later_.pointers)
      if (other->symbol == pointer->symbol) return true;
    later_.pointers.push_back(pointer);
    return true;
  }

  const BodyFacts& facts_;
  LaterUpdate& later_;
  std::unordered_set<const Node*> always_;  // of the part
};

}  // namespace

LaterUpdate find_later_update(const Node* body, const Expr* condition, const Expr* step,
                              const BodyFacts& facts, const IrregularAccess& access, const Target& target) {
  if (access.pointed) return {};
  LaterUpdate found;
  for_each_node(body, [&](const Node& node) {
    const auto* statement = cast_if<ExprStmt>(&node);
    if (!found && statement != nullptr && statement->value() != nullptr)
      found = update_of(statement->value(), access.lvalue, target);
  });
  if (!found) return {};
  Observers observers(facts, found);
  for (const Node* part : {body, static_cast<const Node*>(condition), static_cast<const Node*>(step)})
    if (part != nullptr && observers.may_see(part)) return {};
  return found;
}

}  // namespace upc2c

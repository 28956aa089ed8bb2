// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/expression/assignments.hpp"

#include <algorithm>

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

// From here on aggregates are copied without a temporary.
constexpr std::int64_t kLargeAggregate = 64;

bool has_effects(const Node* node) {
  switch (node->kind) {
    case NodeKind::kCall:
    case NodeKind::kAssign:
    case NodeKind::kStatementExpr:
    case NodeKind::kVaArg:
      return true;
    case NodeKind::kUnary: {
      const UnaryOp op = as<UnaryExpr>(node)->op;
      if (op >= UnaryOp::kPreIncrement && op <= UnaryOp::kPostDecrement) return true;
      break;
    }
    case NodeKind::kSizeQuery:
      return false;
    default:
      break;
  }
  return std::any_of(node->children().begin(), node->children().end(),
                     [](const Node* child) { return child != nullptr && has_effects(child); });
}

bool is_aggregate(QualType type) { return type.is_record() || type.is_array(); }

// An lvalue in private memory of which the address can be taken.
bool is_private_object(const Expr* expr) {
  return expr->category == Category::kLvalue && !expr->type.is_shared() && !expr->type.has(kVolatile);
}

}  // namespace

std::string Assignments::assign(const AssignExpr* expr) {
  const Expr* left = expr->left();
  if (left->type.is_shared()) {
    if (!expr->compound) return store(expr);
    return change_shared({left, expr->op, expr->right(), expr->use != Use::kDiscarded, false});
  }
  if (expr->compound && left->type.is_pointer_to_shared())
    return change_pointer({left, expr->op, expr->right(), expr->use != Use::kDiscarded, false});
  if (!expr->compound && expr->use == Use::kDiscarded) return load_object(expr);
  return lower_.splice.spliced(expr);
}

std::string Assignments::increment(const UnaryExpr* expr) {
  const Expr* left = expr->operand();
  const bool post = expr->op == UnaryOp::kPostIncrement || expr->op == UnaryOp::kPostDecrement;
  const bool more = expr->op == UnaryOp::kPreIncrement || expr->op == UnaryOp::kPostIncrement;
  const Change change{left, more ? BinaryOp::kAdd : BinaryOp::kSubtract, nullptr,
                      expr->use != Use::kDiscarded, post};
  if (left->type.is_shared()) return change_shared(change);
  if (left->type.is_pointer_to_shared()) return change_pointer(change);
  return lower_.splice.spliced(expr);
}

// shared = value
std::string Assignments::store(const AssignExpr* expr) {
  const Expr* left = stripped(expr->left());
  const AccessMode mode = Accesses::mode_of(left);
  const bool used = expr->use != Use::kDiscarded;
  if (const std::string element = lower_.private_runs.lvalue(left); !element.empty())
    return "(" + element + " = " + lower_.expressions.text(expr->right()) + ")";
  if (left->category == Category::kBitField) {
    std::string before;
    const std::string value = evaluated_first(expr->right(), before);
    const std::string update =
        lower_.bit_fields.update(*as<MemberExpr>(left), mode, "", " = " + value, used, false);
    return before.empty() ? update : "({ " + before + update + "; })";
  }
  const Address address = lower_.addresses.of(left);
  if (!used && is_aggregate(left->type)) return store_object(expr, address);
  return lower_.accesses.put(address, left->type, mode, lower_.expressions.text(expr->right()), used);
}

// An aggregate whose value is not used further: from private memory and between large shared objects without
// a temporary.
std::string Assignments::store_object(const AssignExpr* expr, const Address& address) {
  const Expr *left = stripped(expr->left()), *right = stripped(expr->right());
  const AccessMode mode = Accesses::mode_of(left);
  const auto size = size_of(left->type);
  const bool large = size && size->factor > kLargeAggregate;
  if (large && is_private_object(right))
    return lower_.accesses.put_object(address, left->type, mode, lower_.expressions.text(expr->right()));
  if (large && right->category == Category::kLvalue && right->type.is_shared() &&
      mode == AccessMode::kRelaxed && Accesses::mode_of(right) == AccessMode::kRelaxed) {
    const QualType generic = lower_.types.pointer_to(lower_.types.qualify(lower_.types.void_type(), kShared));
    return call("upcr_memcpy", {lower_.addresses.pointer_to(left, generic),
                                lower_.addresses.pointer_to(right, generic), lower_.sizes.of(left->type)});
  }
  return lower_.accesses.put(address, left->type, mode, lower_.expressions.text(expr->right()), false);
}

// private = shared aggregate: straight into the object.
std::string Assignments::load_object(const AssignExpr* expr) {
  const Expr *left = stripped(expr->left()), *right = stripped(expr->right());
  const auto size = size_of(left->type);
  if (!is_aggregate(left->type) || !is_private_object(left) || right->category != Category::kLvalue ||
      !right->type.is_shared() || !size || size->factor <= kLargeAggregate)
    return lower_.splice.spliced(expr);
  return lower_.accesses.get_object(lower_.addresses.of(right), right->type, Accesses::mode_of(right),
                                    lower_.expressions.text(expr->left()));
}

std::string Assignments::evaluated_first(const Expr* operand, std::string& before) {
  std::string text = lower_.expressions.text(operand);
  if (!has_effects(operand)) return text;
  std::string name = lower_.splice.temporary("r");
  const QualType type = lower_.expressions.natural(operand);
  before +=
      operand->target.is_pointer_to_shared() || (!type.is_unknown() && type.is_scalar())
          ? lower_.type_texts.spell(operand->target.is_pointer_to_shared() ? operand->target : type, name)
          : "__auto_type " + name;
  before += " = " + text + "; ";
  return name;
}

std::string Assignments::operand(const Change& change, std::string& before) {
  return change.operand == nullptr ? "1" : evaluated_first(change.operand, before);
}

std::string Assignments::changed(const std::string& value, const Change& change, const std::string& operand) {
  const QualType type = change.left->type.unqualified();
  if (type.is_pointer_to_shared())
    return lower_.pointers.moved(value, type, operand, change.op == BinaryOp::kSubtract);
  return value + " " + std::string(spelling(change.op)) + " " + grouped(operand);
}

// A shared object: read, changed, written. Its address is computed once.
std::string Assignments::change_shared(const Change& change) {
  const Expr* left = stripped(change.left);
  const AccessMode mode = Accesses::mode_of(left);
  if (lower_.later_updates.has_object(left))
    return lower_.later_updates.put(lower_.private_runs.address(left));
  std::string before;
  const std::string right = operand(change, before);
  if (const std::string element = lower_.private_runs.lvalue(left); !element.empty()) {
    const std::string update = "(" + element + " " + std::string(spelling(change.op)) + "= " + right + ")";
    return before.empty() ? update : "({ " + before + update + "; })";
  }
  if (left->category == Category::kBitField) {
    const std::string update = lower_.bit_fields.update(*as<MemberExpr>(left), mode, "",
                                                        " " + std::string(spelling(change.op)) + "= " + right,
                                                        change.used, change.before_value);
    return before.empty() ? update : "({ " + before + update + "; })";
  }
  Address address = lower_.addresses.of(left);
  before += lower_.accesses.bind(address);
  const std::string old = lower_.accesses.get(address, left->type, mode);
  if (!change.used) {
    const std::string put =
        lower_.accesses.put(address, left->type, mode, changed(old, change, right), false);
    return before.empty() ? put : "({ " + before + put + "; })";
  }
  if (!change.before_value) {
    const std::string put = lower_.accesses.put(address, left->type, mode, changed(old, change, right), true);
    return before.empty() ? put : "({ " + before + put + "; })";
  }
  const std::string name = lower_.splice.temporary("v");
  return "({ " + before + lower_.type_texts.spell(left->type.unqualified(), name) + " = " + old + "; " +
         lower_.accesses.put(address, left->type, mode, changed(name, change, right), false) + "; " + name +
         "; })";
}

// A private pointer-to-shared.
std::string Assignments::change_pointer(const Change& change) {
  const Expr* left = stripped(change.left);
  const QualType type = left->type.unqualified();
  std::string before;
  const std::string steps = operand(change, before);
  std::string object = lower_.expressions.unconverted(change.left);
  if (!left->is(NodeKind::kName)) {
    const std::string name = lower_.splice.temporary("q");
    before += lower_.type_texts.spell(lower_.types.pointer_to(type), name) + " = &" + grouped(object) + "; ";
    object = "*" + name;
  }
  if (!change.before_value || !change.used) {
    const std::string moved = "(" + object + " = " + changed(object, change, steps) + ")";
    return before.empty() ? moved : "({ " + before + moved + "; })";
  }
  const std::string value = lower_.splice.temporary("v");
  return "({ " + before + "const " + lower_.type_texts.spell(type, value) + " = " + object + "; " + object +
         " = " + changed(value, change, steps) + "; " + value + "; })";
}

}  // namespace upc2c

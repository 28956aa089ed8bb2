// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/analysis/linear.hpp"

#include <algorithm>

#include "tools/upc2c/type/compat.hpp"

namespace upc2c {
namespace {

// Factors beyond this are of no array, and could overflow.
constexpr std::int64_t kLargest = INT32_MAX;

bool is_small(std::int64_t number) { return number >= -kLargest && number <= kLargest; }

bool is_number(QualType type) {
  return type.is_integer() && !type.is(TypeKind::kInt128) && !type.is(TypeKind::kUInt128);
}

bool is_plain_scalar(QualType type) {
  return type.is_scalar() && !type.is_shared() && !type.has(kVolatile) && !type.has(kAtomic);
}

bool is_constant_value(const Expr* expr) {
  return expr->value != nullptr && expr->value->kind == Constant::Kind::kInteger;
}

}  // namespace

std::optional<Extent> sum(Extent a, Extent b) {
  if (a.factor == 0) return b;
  if (b.factor == 0) return a;
  if (a.threads != b.threads || !is_small(a.factor + b.factor)) return {};
  return Extent{a.factor + b.factor, a.threads};
}

std::optional<Extent> product(Extent a, Extent b) {
  if (a.factor == 0 || b.factor == 0) return Extent{};
  std::int64_t factor = 0;
  if ((a.threads && b.threads) || __builtin_mul_overflow(a.factor, b.factor, &factor) || !is_small(factor))
    return {};
  return Extent{factor, a.threads || b.threads};
}

bool LoopValues::is_invariant(const Symbol& symbol) const {
  if (symbol.kind != SymbolKind::kVariable && symbol.kind != SymbolKind::kParameter) return false;
  if (inductions_.find(&symbol) != nullptr || !is_plain_scalar(symbol.type) || symbol.address_taken)
    return false;
  if (facts_.assigned.count(&symbol) != 0 || facts_.declared.count(&symbol) != 0) return false;
  return !symbol.static_storage || (!facts_.calls && !facts_.orders && !facts_.writes_pointees);
}

bool LoopValues::is_invariant(const Expr* expr) const {
  if (!is_number(expr->type)) return false;
  if (expr->type.is_shared()) return read_once_.count(plain_part(expr)) != 0;
  if (expr->integer_constant) return true;
  const auto parts_are = [this](const Node* node) {
    return std::all_of(node->children().begin(), node->children().end(), [this](const Node* part) {
      return part != nullptr && is_invariant(static_cast<const Expr*>(part));
    });
  };
  switch (expr->kind) {
    case NodeKind::kNumber:
    case NodeKind::kCharacter:
    case NodeKind::kThreads:
    case NodeKind::kMythread:
      return true;
    case NodeKind::kSizeQuery:
      return is_constant_value(expr);
    case NodeKind::kName: {
      const Symbol* symbol = as<NameExpr>(expr)->symbol;
      return symbol != nullptr && (symbol->kind == SymbolKind::kEnumerator || is_invariant(*symbol));
    }
    case NodeKind::kParen:
      return parts_are(expr);
    case NodeKind::kCast:
      return is_number(as<CastExpr>(expr)->operand()->type) && is_invariant(as<CastExpr>(expr)->operand());
    case NodeKind::kUnary: {
      const UnaryOp op = as<UnaryExpr>(expr)->op;
      const bool plain = op == UnaryOp::kPlus || op == UnaryOp::kMinus || op == UnaryOp::kBitNot ||
                         op == UnaryOp::kNot || op == UnaryOp::kExtension;
      return plain && parts_are(expr);
    }
    case NodeKind::kBinary: {
      const auto& binary = *as<BinaryExpr>(expr);
      switch (binary.op) {
        case BinaryOp::kAdd:
        case BinaryOp::kSubtract:
        case BinaryOp::kMultiply:
        case BinaryOp::kBitAnd:
        case BinaryOp::kBitXor:
        case BinaryOp::kBitOr:
        case BinaryOp::kLess:
        case BinaryOp::kGreater:
        case BinaryOp::kLessEqual:
        case BinaryOp::kGreaterEqual:
        case BinaryOp::kEqual:
        case BinaryOp::kNotEqual:
        case BinaryOp::kLogicalAnd:
        case BinaryOp::kLogicalOr:
          return parts_are(expr);
        case BinaryOp::kShiftLeft:
        case BinaryOp::kShiftRight:
          return is_constant_value(binary.right()) && binary.right()->value->integer >= 0 &&
                 binary.right()->value->integer < static_cast<int>(width_of(expr->type)) && parts_are(expr);
        case BinaryOp::kDivide:
        case BinaryOp::kRemainder: {
          // By a positive constant or THREADS: nothing else is free of overflow and division by zero.
          const bool positive = (is_constant_value(binary.right()) && binary.right()->value->integer > 0) ||
                                plain_part(binary.right())->is(NodeKind::kThreads);
          return positive && parts_are(expr);
        }
        default:
          return false;
      }
    }
    case NodeKind::kConditional:
      return parts_are(expr);
    default:
      return false;
  }
}

std::optional<Extent> LoopValues::constant(const Expr* expr) {
  expr = plain_part(expr);
  if (!is_number(expr->type)) return {};
  if (is_constant_value(expr)) {
    const auto value = expr->value->integer;
    if (value < -kLargest || value > kLargest) return {};
    return Extent{static_cast<std::int64_t>(value), false};
  }
  if (expr->is(NodeKind::kThreads)) return Extent{1, true};
  if (const auto* binary = cast_if<BinaryExpr>(expr);
      binary != nullptr && binary->op == BinaryOp::kMultiply) {
    const auto left = constant(binary->left()), right = constant(binary->right());
    return left && right ? product(*left, *right) : std::nullopt;
  }
  return {};
}

std::optional<Linear> LoopValues::linear(const Expr* expr) const {
  if (!is_number(expr->target)) return {};
  if (is_invariant(expr)) return Linear{};
  return converted(unconverted(expr), expr->type, expr->target);
}

std::optional<Linear> LoopValues::unconverted(const Expr* expr) const {
  if (!is_number(expr->type) || expr->type.is_shared()) return {};
  switch (expr->kind) {
    case NodeKind::kName:
      return stepped(as<NameExpr>(expr)->symbol);
    case NodeKind::kParen:
      return linear(as<ParenExpr>(expr)->inner());
    case NodeKind::kCast: {
      const Expr* operand = as<CastExpr>(expr)->operand();
      return converted(linear(operand), operand->target, expr->type);
    }
    case NodeKind::kUnary: {
      const auto& unary = *as<UnaryExpr>(expr);
      if (unary.op == UnaryOp::kPlus || unary.op == UnaryOp::kExtension) return linear(unary.operand());
      if (unary.op != UnaryOp::kMinus) return {};
      auto value = linear(unary.operand());
      if (value) value->factor.factor = -value->factor.factor;
      return computed_as(value, expr->type);
    }
    case NodeKind::kBinary:
      return binary(*as<BinaryExpr>(expr));
    default:
      return {};
  }
}

// The variable of the loop stays within its type; an unsigned one beside it may wrap around.
std::optional<Linear> LoopValues::stepped(const Symbol* symbol) const {
  const Induction* induction = inductions_.find(symbol);
  if (induction == nullptr) return {};
  const Linear value{induction->step, true};
  return inductions_.is_main(symbol) ? value : computed_as(value, symbol->type.unqualified());
}

std::optional<Linear> LoopValues::binary(const BinaryExpr& expr) const {
  const auto left = linear(expr.left()), right = linear(expr.right());
  if (!left || !right) return {};
  std::optional<Extent> factor;
  switch (expr.op) {
    case BinaryOp::kAdd:
      factor = sum(left->factor, right->factor);
      break;
    case BinaryOp::kSubtract:
      factor = sum(left->factor, {-right->factor.factor, right->factor.threads});
      break;
    case BinaryOp::kMultiply: {
      const auto scale = constant(left->factor.factor == 0 ? expr.left() : expr.right());
      const Linear& scaled = left->factor.factor == 0 ? *right : *left;
      if (scale) factor = product(*scale, scaled.factor);
      break;
    }
    default:
      break;
  }
  if (!factor) return {};
  return computed_as(Linear{*factor, left->exact && right->exact}, expr.type);
}

// The same value in another type: it may not be cut off.
std::optional<Linear> LoopValues::converted(std::optional<Linear> value, QualType from, QualType to) const {
  if (!value || from.unqualified() == to.unqualified()) return value;
  if (!is_number(from) || !is_number(to) || to.is(TypeKind::kBool)) return {};
  const unsigned narrow = width_of(from), wide = width_of(to);
  if (wide < narrow || (wide == narrow && wide < 64)) return {};
  if (wide < 64 && is_unsigned(to, target_) && !is_unsigned(from, target_)) return {};
  // Signed numbers in 64 unsigned bits, and the reverse.
  if (is_unsigned(from, target_) != is_unsigned(to, target_) &&
      !(is_unsigned(from, target_) && narrow < wide))
    value->exact = false;
  return value;
}

// The result of arithmetic in this type: it wraps around in an unsigned one.
std::optional<Linear> LoopValues::computed_as(std::optional<Linear> value, QualType type) const {
  if (!value || !is_unsigned(type, target_)) return value;
  if (width_of(type) < 64) return {};
  value->exact = false;
  return value;
}

}  // namespace upc2c

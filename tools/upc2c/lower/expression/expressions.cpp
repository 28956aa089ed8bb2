// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/expression/expressions.hpp"

#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {

QualType ExpressionLowering::natural(const Expr* expr) const {
  return lower_.types.decay(expr->type).unqualified();
}

std::string ExpressionLowering::text(const Expr* expr) {
  return expr->use == Use::kRead ? value(expr, expr->target) : unconverted(expr);
}

std::string ExpressionLowering::value(const Expr* expr, QualType to) {
  if (expr->null_constant && to.is_pointer_to_shared()) return PointerConversions::null(to);
  return lower_.conversions.convert(unconverted(expr), natural(expr), to);
}

std::string ExpressionLowering::condition(const Expr* expr) {
  const QualType type = natural(expr);
  return type.is_pointer_to_shared() ? PointerConversions::truth(unconverted(expr), type) : text(expr);
}

std::string ExpressionLowering::unconverted(const Expr* expr) {
  if (const std::string* step = lower_.private_runs.step(expr)) return *step;
  if (!lower_.concerns(*expr)) return lower_.splice.raw(expr);
  const bool read = expr->use == Use::kRead || expr->use == Use::kDiscarded;
  if (read && expr->is_lvalue() && expr->type.is_shared() && !expr->transparent) {
    if (!expr->type.is_array()) return lower_.accesses.get(expr);
    return lower_.addresses.pointer_to(expr, natural(expr));
  }
  return by_kind(expr);
}

std::string ExpressionLowering::by_kind(const Expr* expr) {
  switch (expr->kind) {
    case NodeKind::kName:
      return name(as<NameExpr>(expr));
    case NodeKind::kThreads:
      return expr->value != nullptr ? "((int)" + std::to_string(lower_.options.threads) + ")"
                                    : "((int)upcr_threads())";
    case NodeKind::kMythread:
      return "((int)upcr_mythread())";
    case NodeKind::kUnary:
      return unary(as<UnaryExpr>(expr));
    case NodeKind::kBinary:
      return binary(as<BinaryExpr>(expr));
    case NodeKind::kAssign:
      return lower_.assignments.assign(as<AssignExpr>(expr));
    case NodeKind::kConditional:
      return conditional(as<ConditionalExpr>(expr));
    case NodeKind::kCall:
      return lower_.calls.text(as<CallExpr>(expr));
    case NodeKind::kCast:
      return cast(as<CastExpr>(expr));
    case NodeKind::kSizeQuery:
      return lower_.sizes.query(as<SizeQuery>(expr));
    case NodeKind::kGeneric:
      // The types of the associations may be the same in C.
      if (as<GenericExpr>(expr)->chosen == nullptr) break;
      return grouped(unconverted(as<GenericExpr>(expr)->chosen));
    case NodeKind::kChooseExpr:
      if (!expr->transparent) break;
      return grouped(unconverted(chosen(as<ChooseExpr>(expr))));
    case NodeKind::kCompoundLiteral:
      if (lower_.initial_values.in_start_up())
        return lower_.initial_values.literal(*as<CompoundLiteral>(expr));
      // The element of an array: where pointers-to-shared are structures, {value} would be of its first
      // member.
      if (expr->type.is_pointer_to_shared()) {
        const Expr* list = as<CompoundLiteral>(expr)->list();
        const std::string text = lower_.splice.text(list);
        return "(*(" + lower_.type_texts.spell(expr->type, "[1]") + ")" +
               (scalar_in_braces(list) != nullptr ? "{" + text + "}" : text) + ")";
      }
      break;
    case NodeKind::kInitList:
      if (const Expr* value = scalar_in_braces(expr)) return lower_.splice.text(value);
      break;
    case NodeKind::kStatementExpr: {
      lower_.optimized_loops.enter_expression();
      std::string text = lower_.splice.spliced(expr);
      lower_.optimized_loops.leave_expression();
      return text;
    }
    case NodeKind::kTypesCompatible:
      return as<TypesCompatibleExpr>(expr)->is_assert ? "1"
             : expr->value != nullptr                 ? std::to_string(static_cast<int>(expr->value->integer))
                                                      : lower_.splice.spliced(expr);
    default:
      break;
  }
  return lower_.splice.spliced(expr);
}

std::string ExpressionLowering::name(const NameExpr* expr) {
  if (expr->symbol == nullptr && lower_.declarations.writes_moved() &&
      lower_.functions.current() != nullptr) {
    const std::string_view text = lower_.stream.text(expr->tokens.begin);
    if (text == "__func__" || text == "__FUNCTION__" || text == "__PRETTY_FUNCTION__")
      return "\"" + std::string(lower_.functions.current()->declarator()->symbol->text) + "\"";
  }
  if (expr->symbol == nullptr) return lower_.splice.raw(expr);
  if (lower_.thread_data.concerns(*expr->symbol)) return lower_.thread_data.use(*expr->symbol);
  // It can be written where the function's names are not visible.
  if (expr->symbol->kind == SymbolKind::kEnumerator && !expr->symbol->file_scope)
    return integer_text(expr->symbol->value, expr->symbol->type);
  // A null constant or an enumerator is its token.
  return expr->symbol->kind == SymbolKind::kVariable ? lower_.declarations.name(*expr->symbol)
                                                     : lower_.splice.raw(expr);
}

std::string ExpressionLowering::with_conditions(const Expr* expr, const Expr* first, const Expr* second) {
  return lower_.splice.spliced(expr, [&](const Node* part) {
    return part == first || part == second ? condition(static_cast<const Expr*>(part))
                                           : lower_.splice.text(part);
  });
}

std::string ExpressionLowering::unary(const UnaryExpr* expr) {
  const Expr* operand = expr->operand();
  switch (expr->op) {
    case UnaryOp::kNot:
      if (natural(operand).is_pointer_to_shared())
        return call("upcr_isnull" + std::string(kind_suffix(natural(operand))), {unconverted(operand)});
      break;
    case UnaryOp::kAddress:
      if (operand->type.is_shared() && operand->is_lvalue())
        return lower_.addresses.pointer_to(operand, expr->type);
      break;
    case UnaryOp::kPreIncrement:
    case UnaryOp::kPreDecrement:
    case UnaryOp::kPostIncrement:
    case UnaryOp::kPostDecrement:
      return lower_.assignments.increment(expr);
    default:
      break;
  }
  return lower_.splice.spliced(expr);
}

std::string ExpressionLowering::binary(const BinaryExpr* expr) {
  if (expr->op == BinaryOp::kLogicalAnd || expr->op == BinaryOp::kLogicalOr)
    return with_conditions(expr, expr->left(), expr->right());
  if (expr->op != BinaryOp::kComma &&
      (expr->left()->target.is_pointer_to_shared() || expr->right()->target.is_pointer_to_shared()))
    return lower_.pointers.binary(expr);
  return lower_.splice.spliced(expr);
}

std::string ExpressionLowering::conditional(const ConditionalExpr* expr) {
  if (expr->then_value() != nullptr) return with_conditions(expr, expr->condition());
  const QualType type = natural(expr->condition());
  if (!type.is_pointer_to_shared()) return lower_.splice.spliced(expr);
  const std::string name = lower_.splice.temporary("p");
  return "({ const " + lower_.type_texts.spell(type, name) + " = " + unconverted(expr->condition()) + "; " +
         PointerConversions::truth(name, type) + " ? " + lower_.conversions.convert(name, type, expr->type) +
         " : " + text(expr->else_value()) + "; })";
}

std::string ExpressionLowering::cast(const CastExpr* expr) {
  const Expr* operand = expr->operand();
  const QualType from = natural(operand);
  if (expr->type.is_pointer_to_shared() || (from.is_pointer_to_shared() && !expr->type.is_void()))
    return grouped(value(operand, expr->type));
  return lower_.splice.spliced(expr);
}

}  // namespace upc2c

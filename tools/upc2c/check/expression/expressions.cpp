// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/expression/expressions.hpp"

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/diag/header_hints.hpp"
#include "tools/upc2c/type/compat.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {

QualType Expressions::value(Expr& expr) {
  check(expr, Use::kRead);
  return expr.target;
}

void Expressions::condition(Expr& expr) {
  if (value(expr).is_record())
    c_.report(Diag::kOperand, Mark(expr.tokens), "a condition is a number or a pointer, and this is %",
              {quoted(expr.target)});
}

void Expressions::check(Expr& expr, Use use) {
  expr.type = c_.types.unknown();
  expr.category = Category::kRvalue;
  dispatch(expr, use);
  if (expr.integer_constant && expr.type.is_integer()) expr.null_constant = Constants::integer(&expr) == 0;
  set_use(expr, use);
}

void Expressions::set_use(Expr& expr, Use use) {
  expr.use = use;
  if (use == Use::kAssigned || use == Use::kUpdated)
    if (auto* name = cast_if<NameExpr>(&expr); name != nullptr && name->symbol != nullptr)
      name->symbol->assigned = true;
  const QualType decayed = c_.types.decay(expr.type);
  expr.target = use == Use::kRead ? decayed.unqualified() : expr.type;
  if (expr.is_shared_access()) {
    const QualType type = expr.type;
    expr.mode = type.has(kStrict) ? AccessMode::kStrict : type.has(kRelaxed) ? AccessMode::kRelaxed : c_.mode;
    const bool incomplete = type.is_record() && !type->record->complete;
    if (incomplete)
      c_.report(Diag::kIncomplete, Mark(expr.tokens), "the value of an object of the incomplete type %",
                {quoted(type)});
    if (type.is_void())
      c_.report(
          Diag::kOperand, Mark(expr.tokens),
          "a generic pointer-to-shared (shared void *) is dereferenced; cast it to a pointer to a type first");
    if (type.has(kAtomic))  // a member; other objects cannot be declared
      c_.report(Diag::kShrBuiltin, Mark(expr.tokens),
                "a member that is _Atomic in a shared object: _Atomic works on private memory only");
    if (incomplete || type.is_void()) expr.target = c_.types.unknown();
  }
  // p = upcr_add_pshared(p, 1) has two atomic accesses, between which another thread's may come.
  if (use == Use::kUpdated && expr.type.is_pointer_to_shared() && expr.type.has(kAtomic))
    c_.report(
        Diag::kShrBuiltin, Mark(expr.tokens),
        "an update of a pointer-to-shared that is _Atomic would not be atomic; assign to it, or use a lock");
  expr.has_upc |=
      expr.type.is_shared() || expr.type.is_pointer_to_shared() || expr.target.is_pointer_to_shared();
}

void Expressions::same_as(Expr& expr, const Expr& from) {
  expr.type = from.type;
  expr.category = from.category;
  expr.transparent = true;
  expr.value = from.value;
  expr.null_constant = from.null_constant;
  expr.integer_constant = from.integer_constant;
}

void Expressions::dispatch(Expr& expr, Use use) {
  switch (expr.kind) {
    case NodeKind::kNumber:
      return c_.constants.number(static_cast<Literal&>(expr));
    case NodeKind::kCharacter:
      return c_.constants.character(static_cast<Literal&>(expr));
    case NodeKind::kString:
      return c_.constants.string(static_cast<Literal&>(expr));
    case NodeKind::kName:
      return name(*as<NameExpr>(&expr));
    case NodeKind::kThreads:
    case NodeKind::kMythread:
      expr.type = c_.types.int_type();
      expr.has_upc = true;
      if (expr.is(NodeKind::kThreads) && !c_.dynamic_threads()) {
        c_.constants.set(expr, c_.options.threads);
        expr.integer_constant = true;
      }
      return;
    case NodeKind::kParen:
      return paren(*as<ParenExpr>(&expr), use);
    case NodeKind::kUnary:
      return c_.operators.unary(*as<UnaryExpr>(&expr), use);
    case NodeKind::kBinary:
      return c_.operators.binary(*as<BinaryExpr>(&expr), use);
    case NodeKind::kAssign:
      return c_.operators.assign(*as<AssignExpr>(&expr));
    case NodeKind::kConditional:
      return conditional(*as<ConditionalExpr>(&expr));
    case NodeKind::kIndex:
      return c_.subobjects.index(*as<IndexExpr>(&expr));
    case NodeKind::kCall:
      return c_.calls.call(*as<CallExpr>(&expr));
    case NodeKind::kMember:
      return c_.subobjects.member(*as<MemberExpr>(&expr));
    case NodeKind::kCast:
      return cast(*as<CastExpr>(&expr));
    case NodeKind::kCompoundLiteral:
      return compound_literal(*as<CompoundLiteral>(&expr), use);
    case NodeKind::kSizeQuery:
      return c_.size_queries.size_query(*as<SizeQuery>(&expr));
    case NodeKind::kStatementExpr:
      return statement_expr(*as<StatementExpr>(&expr));
    case NodeKind::kGeneric:
      return generic(*as<GenericExpr>(&expr), use);
    case NodeKind::kVaArg:
      return va_arg_expr(*as<VaArgExpr>(&expr));
    case NodeKind::kOffsetof:
      return c_.size_queries.offset_of(*as<OffsetofExpr>(&expr));
    case NodeKind::kTypesCompatible: {
      auto& two = *as<TypesCompatibleExpr>(&expr);
      const QualType a = c_.declared.type_name(*two.first()), b = c_.declared.type_name(*two.second());
      expr.type = c_.types.int_type();
      expr.has_upc |= two.is_assert || mentions_shared(a) || mentions_shared(b);
      if (two.is_assert && !compatible(a, b))
        c_.report(Diag::kConversion, Mark(expr.tokens), "% and % are different types",
                  {quoted(a), quoted(b)});
      c_.constants.set(expr, compatible(a, b, true));
      return;
    }
    case NodeKind::kChooseExpr:
      return choose(*as<ChooseExpr>(&expr), use);
    case NodeKind::kTypeArgument:
      c_.declared.type_name(*as<TypeArgument>(&expr)->type_name());
      return;
    case NodeKind::kInitList:
      return c_.initializers.untyped(expr);
    case NodeKind::kDesignatedInit:
      return c_.initializers.untyped(expr);
    default:
      return;
  }
}

void Expressions::name(NameExpr& expr) {
  Symbol* symbol = c_.scopes.find(expr.name);
  expr.symbol = symbol;
  if (symbol == nullptr) return predefined_name(expr);
  symbol->used = true;
  expr.type = symbol->type;
  expr.has_static = symbol->is_thread_data();
  switch (symbol->kind) {
    case SymbolKind::kEnumerator:
      c_.constants.set(expr, symbol->value);
      expr.integer_constant = true;
      break;
    case SymbolKind::kFunction:
      expr.category = Category::kFunction;
      break;
    case SymbolKind::kTypedef:
      expr.type = c_.types.unknown();
      break;
    default:
      expr.category = Category::kLvalue;
      break;
  }
}

void Expressions::predefined_name(NameExpr& expr) {
  const std::string_view text = c_.text(expr.name);
  if (text == "__func__" || text == "__FUNCTION__" || text == "__PRETTY_FUNCTION__") {
    expr.type = c_.types.array_of(c_.types.char_type().with(kConst), Bound::kIncomplete);
    expr.category = Category::kLvalue;
    return;
  }
  if (text.starts_with("__")) return;  // the C compiler's own
  c_.report(Diag::kUndeclared, expr.tokens.begin, "'%' is not declared%", {text, header_hint(text)});
}

void Expressions::paren(ParenExpr& expr, Use use) {
  check(*expr.inner(), use);
  same_as(expr, *expr.inner());
}

void Expressions::conditional(ConditionalExpr& expr) {
  condition(*expr.condition());
  if (expr.then_value() != nullptr) value(*expr.then_value());
  value(*expr.else_value());
  Expr& then_value = expr.then_value() != nullptr ? *expr.then_value() : *expr.condition();
  expr.type = c_.operators.common_type(expr, then_value, *expr.else_value());
  if (expr.then_value() != nullptr) c_.conversions.set_target(then_value, expr.type);
  c_.conversions.set_target(*expr.else_value(), expr.type);
  const auto known = Constants::integer(expr.condition());
  if (!known) return;
  const Expr& chosen = *known != 0 ? then_value : *expr.else_value();
  if (const auto result = Constants::integer(&chosen); result && expr.type.is_integer())
    c_.constants.set(expr, *result);
  expr.integer_constant = then_value.integer_constant && expr.else_value()->integer_constant &&
                          expr.condition()->integer_constant;
}

void Expressions::cast(CastExpr& expr) {
  const QualType to = c_.declared.type_name(*expr.type_name());
  value(*expr.operand());
  if (to.is_shared())
    c_.report(Diag::kCastQual, Mark(expr.type_name()->tokens),
              "a value cannot be cast to the shared type %; cast a pointer", {quoted(to)});
  expr.type = c_.types.decay(to).unqualified();
  if (to.is_pointer()) expr.type = to.unqualified();
  c_.conversions.explicit_cast(expr, expr.type);
  c_.constants.convert(expr, *expr.operand());
  expr.null_constant =
      expr.operand()->null_constant && to.is_pointer() && to->inner.is_void() && to->inner.quals == 0;
  expr.has_upc |= mentions_shared(to);
}

void Expressions::compound_literal(CompoundLiteral& expr, Use use) {
  QualType type = c_.declared.type_name(*expr.type_name());
  if (type.is_shared()) {
    c_.report(Diag::kShrLit, Mark(expr.tokens), "a compound literal cannot be shared");
    type = c_.types.unknown();
  }
  expr.type = c_.initializers.list(*expr.list(), type);
  expr.category = Category::kLvalue;
  // Outside of functions it lives as long as the program, which shows if it has an address.
  const bool has_address = use == Use::kAddress || (use == Use::kRead && expr.type.is_array());
  expr.has_static = c_.function == nullptr && has_address && !expr.type.ultimate_element().has(kConst);
}

void Expressions::statement_expr(StatementExpr& expr) {
  c_.statements.compound(*expr.body());
  expr.type = c_.types.void_type();
  const auto items = expr.body()->items();
  if (items.empty()) return;
  if (auto* last = cast_if<ExprStmt>(items.back())) {
    set_use(*last->value(), Use::kRead);
    expr.type = last->value()->target;
  } else if (items.back()->is(NodeKind::kLabel)) {
    expr.type = c_.types.unknown();  // that of the statement behind the label
  }
}

void Expressions::generic(GenericExpr& expr, Use use) {
  check(*expr.control(), Use::kUnevaluated);
  const QualType control = c_.types.decay(expr.control()->type).unqualified();
  Expr* fallback = nullptr;
  for (std::size_t i = 0; i < expr.association_count(); i++) {
    check(*expr.result(i), use);
    if (expr.type_name(i) == nullptr) {
      fallback = expr.result(i);
      continue;
    }
    const QualType type = c_.declared.type_name(*expr.type_name(i));
    expr.has_upc |= mentions_shared(type);
    if (expr.chosen == nullptr && !control.is_unknown() && compatible(control, type))
      expr.chosen = expr.result(i);
  }
  if (expr.chosen == nullptr && !control.is_unknown()) expr.chosen = fallback;
  if (expr.chosen != nullptr) {
    same_as(expr, *expr.chosen);
  } else if (mentions_shared(control)) {
    // In C a pointer-to-shared has another type, of which a message of the C compiler would speak.
    c_.report(Diag::kOperand, Mark(expr.control()->tokens),
              "'_Generic' has no association for %, and no default", {quoted(control)});
  }
}

void Expressions::va_arg_expr(VaArgExpr& expr) {
  value(*expr.list());
  expr.type = c_.declared.type_name(*expr.type_name());
  if (expr.type.is_shared())
    c_.report(Diag::kShrBuiltin, Mark(expr.tokens), "an argument cannot have the shared type %",
              {quoted(expr.type)});
}

void Expressions::choose(ChooseExpr& expr, Use use) {
  value(*expr.condition());
  check(*expr.then_value(), use);
  check(*expr.else_value(), use);
  if (const auto known = Constants::integer(expr.condition()))
    same_as(expr, *known != 0 ? *expr.then_value() : *expr.else_value());
}

}  // namespace upc2c

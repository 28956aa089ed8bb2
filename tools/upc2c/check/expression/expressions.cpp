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

void Expressions::condition(Expr& expr) { value(expr); }

void Expressions::check(Expr& expr, Use use) {
  expr.type = c_.types.unknown();
  expr.category = Category::kRvalue;
  dispatch(expr, use);
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
    if (incomplete || type.is_void()) expr.target = c_.types.unknown();
  }
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
      return index(*as<IndexExpr>(&expr));
    case NodeKind::kCall:
      return c_.calls.call(*as<CallExpr>(&expr));
    case NodeKind::kMember:
      return member(*as<MemberExpr>(&expr));
    case NodeKind::kCast:
      return cast(*as<CastExpr>(&expr));
    case NodeKind::kCompoundLiteral:
      return compound_literal(*as<CompoundLiteral>(&expr), use);
    case NodeKind::kSizeQuery:
      return size_query(*as<SizeQuery>(&expr));
    case NodeKind::kStatementExpr:
      return statement_expr(*as<StatementExpr>(&expr));
    case NodeKind::kGeneric:
      return generic(*as<GenericExpr>(&expr), use);
    case NodeKind::kVaArg:
      return va_arg_expr(*as<VaArgExpr>(&expr));
    case NodeKind::kOffsetof:
      return offset_of(*as<OffsetofExpr>(&expr));
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
      expr.null_constant = false;
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

void Expressions::index(IndexExpr& expr) {
  QualType base = value(*expr.base()), index = value(*expr.index());
  Expr* pointer = expr.base();
  if (!base.is_pointer() && index.is_pointer()) {
    std::swap(base, index);
    pointer = expr.index();
  }
  if (base.is(TypeKind::kVector)) {
    expr.type = base->inner;
    expr.category = pointer->category;
    return;
  }
  const Expr& subscript = pointer == expr.base() ? *expr.index() : *expr.base();
  if (base.is_pointer() || base.is(TypeKind::kVector))
    c_.operators.refuse_pointer_to_shared(subscript, "a subscript");
  if (!base.is_pointer()) return;
  if (base.is_pointer_to_shared() && !index.is_integer() && !index.is_unknown() && !index.is_pointer())
    c_.report(Diag::kOperand, Mark(subscript.tokens), "the subscript of a pointer-to-shared has type %",
              {quoted(index)});
  if (base.is_pointer_to_shared() && !c_.operators.check_arithmetic(Mark(expr.tokens), *pointer, base))
    return;
  expr.type = base->inner;
  expr.category = expr.type.is_function() ? Category::kFunction : Category::kLvalue;
}

void Expressions::member(MemberExpr& expr) {
  QualType record;
  bool lvalue = true;
  if (expr.arrow) {
    const QualType base = value(*expr.base());
    if (base.is_unknown()) return;
    if (!base.is_pointer()) {
      c_.report(Diag::kMember, Mark(expr.name_token, expr.tokens), "'->' needs a pointer; this is %",
                {quoted(base)});
      return;
    }
    record = base->inner;
  } else {
    check(*expr.base(), Use::kAddress);
    record = expr.base()->type;
    lvalue = expr.base()->is_lvalue();
    if (!lvalue) set_use(*expr.base(), Use::kRead);
  }
  if (record.is_unknown()) return;
  if (!record.is_record() || !record->record->complete) {
    c_.report(record.is_record() ? Diag::kIncomplete : Diag::kMember, Mark(expr.name_token, expr.tokens),
              record.is_record() ? "% has no members here: it is incomplete" : "% has no members",
              {quoted(record)});
    return;
  }
  const std::optional<Member> found = find_member(*record->record, expr.name);
  if (!found) {
    if (expr.name != 0)
      c_.report(Diag::kMember, Mark(expr.name_token, expr.tokens), "% has no member '%'",
                {quoted(record), c_.text(expr.name)});
    return;
  }
  // Trees live in the arena, which runs no destructors: the path is kept by the checker.
  expr.member = c_.records.keep(*found);
  const unsigned quals =
      record.quals & static_cast<unsigned>(kConst | kVolatile | kShared | kStrict | kRelaxed);
  expr.type = found->field().type;
  // A member of a shared structure is on one thread: its block size is indefinite.
  if ((quals & kShared) != 0)
    expr.type = c_.types.qualify(expr.type, quals | kExplicitLayout, 0);
  else
    expr.type = c_.types.qualify(expr.type, quals);
  expr.category = !lvalue                         ? Category::kRvalue
                  : found->field().is_bit_field() ? Category::kBitField
                                                  : Category::kLvalue;
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

void Expressions::size_query(SizeQuery& expr) {
  QualType type;
  if (auto* name = cast_if<TypeName>(expr.operand())) {
    type = c_.declared.type_name(*name);
  } else {
    auto& operand = *as<Expr>(expr.operand());
    check(operand, Use::kUnevaluated);
    type = operand.type;
  }
  expr.type = c_.types.size_type();
  if (type.is_unknown()) {
    if (expr.op >= Tok::kUpcLocalsizeof && expr.op <= Tok::kUpcElemsizeof && expr.operand()->is_expr())
      c_.report_unknown(*as<Expr>(expr.operand()));
    return;
  }
  expr.has_upc |= mentions_shared(type);
  if (expr.op == Tok::kAlignof) {
    if (const std::uint32_t align = align_of(type); align != 0) c_.constants.set(expr, align);
  } else if (expr.op == Tok::kSizeof) {
    const auto size = size_of(type);
    if (!size && type.is_shared()) report_no_size(expr, type);
    if (size && (!size->threads || !c_.dynamic_threads()))
      c_.constants.set(expr, size->threads ? size->factor * c_.options.threads : size->factor);
  } else {
    upc_size_query(expr, type);
  }
  expr.integer_constant = expr.value != nullptr;
}

// sizeof and its relatives of something shared whose size is not known here: the C compiler does not see it.
void Expressions::report_no_size(const SizeQuery& expr, QualType operand) {
  for (QualType t = operand; t.is_array(); t = t->inner)
    if (t->bound == Bound::kVariable) {
      c_.report(Diag::kShrVla, Mark(expr.tokens), "'%' of a shared array whose bound is no constant",
                {spelling(expr.op)});
      return;
    }
  const QualType element = operand.ultimate_element();
  const bool incomplete = element.is_void() || (operand.is_array() && operand->bound == Bound::kIncomplete) ||
                          (element.is_record() && !element->record->complete);
  if (incomplete)
    c_.report(Diag::kIncomplete, Mark(expr.tokens), "'%' of the incomplete type %",
              {spelling(expr.op), quoted(operand)});
}

void Expressions::upc_size_query(SizeQuery& expr, QualType operand) {
  if (!operand.is_shared()) {
    c_.report(Diag::kSizeNoshr, Mark(expr.tokens), "'%' needs a shared type or object; this is %",
              {spelling(expr.op), quoted(operand)});
    return;
  }
  const QualType element = operand.ultimate_element();
  const auto* object = cast_if<Expr>(expr.operand());
  if (object != nullptr && object->category == Category::kBitField) {
    c_.report(Diag::kOperand, Mark(expr.tokens), "'%' of a bit-field", {spelling(expr.op)});
    return;
  }
  if (element.is_void() || !size_of(element) ||
      (expr.op == Tok::kUpcLocalsizeof && operand.is_array() && !size_of(operand)))
    return report_no_size(expr, operand);
  if (expr.op == Tok::kUpcBlocksizeof) {
    c_.constants.set(expr, element.block);
  } else if (expr.op == Tok::kUpcElemsizeof) {
    if (const auto size = size_of(element)) c_.constants.set(expr, size->factor);
  } else if (const auto size = local_size_of(operand, c_.options.threads)) {
    c_.constants.set(expr, *size);
  }
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
  if (expr.chosen != nullptr) same_as(expr, *expr.chosen);
}

void Expressions::va_arg_expr(VaArgExpr& expr) {
  value(*expr.list());
  expr.type = c_.declared.type_name(*expr.type_name());
  if (expr.type.is_shared())
    c_.report(Diag::kShrBuiltin, Mark(expr.tokens), "an argument cannot have the shared type %",
              {quoted(expr.type)});
}

void Expressions::offset_of(OffsetofExpr& expr) {
  QualType type = c_.declared.type_name(*expr.type_name());
  expr.type = c_.types.size_type();
  Constants::Integer offset = 0;
  bool known = true;
  for (Node* node : expr.children().subspan(1)) {
    if (auto* field = cast_if<FieldDesignator>(node)) {
      const auto found = type.is_record() && type->record->complete && !type->record->unknown_layout
                             ? find_member(*type->record, field->name)
                             : std::nullopt;
      known = known && found;
      if (!found) continue;
      offset += static_cast<Constants::Integer>(found->bit_offset / 8);
      type = found->field().type;
    } else if (auto* range = cast_if<RangeDesignator>(node)) {
      value(*range->first());
      const auto index = Constants::integer(range->first());
      const auto size = type.is_array() ? size_of(type->inner) : std::nullopt;
      known = known && index && size && !size->threads;
      if (!known) continue;
      offset += *index * size->factor;
      type = type->inner;
    }
  }
  if (!known) return;
  c_.constants.set(expr, offset);
  expr.integer_constant = true;
}

void Expressions::choose(ChooseExpr& expr, Use use) {
  value(*expr.condition());
  check(*expr.then_value(), use);
  check(*expr.else_value(), use);
  if (const auto known = Constants::integer(expr.condition()))
    same_as(expr, *known != 0 ? *expr.then_value() : *expr.else_value());
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/expression/subobjects.hpp"

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {

void Subobjects::index(IndexExpr& expr) {
  QualType base = c_.expressions.value(*expr.base()), index = c_.expressions.value(*expr.index());
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
  if (base.is_pointer_to_shared() && !index.is_integer() && !index.is_unknown() &&
      !index.is_pointer_to_shared())
    c_.report(Diag::kOperand, Mark(subscript.tokens), "the subscript of a pointer-to-shared has type %",
              {quoted(index)});
  if (base.is_pointer_to_shared() && !c_.operators.check_arithmetic(Mark(expr.tokens), *pointer, base))
    return;
  expr.type = base->inner;
  expr.category = expr.type.is_function() ? Category::kFunction : Category::kLvalue;
}

void Subobjects::member(MemberExpr& expr) {
  QualType record;
  bool lvalue = true;
  if (expr.arrow) {
    const QualType base = c_.expressions.value(*expr.base());
    if (base.is_unknown()) return;
    if (!base.is_pointer()) {
      c_.report(Diag::kMember, Mark(expr.name_token, expr.tokens), "'->' needs a pointer; this is %",
                {quoted(base)});
      return;
    }
    record = base->inner;
  } else {
    c_.expressions.check(*expr.base(), Use::kAddress);
    record = expr.base()->type;
    lvalue = expr.base()->is_lvalue();
    if (!lvalue) c_.expressions.set_use(*expr.base(), Use::kRead);
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
  // Bytes and structures are not swapped.
  const QualType element = found->field().type.ultimate_element();
  const auto bytes = size_of(element);
  if ((quals & kShared) != 0 && record->record->reversed && !element.is_record() &&
      (!bytes || bytes->factor != 1))
    c_.report(
        Diag::kMember, Mark(expr.name_token, expr.tokens),
        "% has attribute 'scalar_storage_order', and accesses to shared memory do not swap bytes: copy the structure by upc_memget, or drop the attribute",
        {quoted(record)});
  if ((quals & kShared) != 0 && found->field().is_bit_field() && record->record->unknown_layout)
    c_.report(
        Diag::kMember, Mark(expr.name_token, expr.tokens),
        "only the C compiler knows where the bit-field '%' of % is, because a width or the size of a member is not computed here: copy the structure by upc_memget",
        {c_.text(expr.name), quoted(record)});
  // A member of a shared structure is on one thread: its block size is indefinite.
  if ((quals & kShared) != 0)
    expr.type = c_.types.qualify(expr.type, quals | kExplicitLayout, 0);
  else
    expr.type = c_.types.qualify(expr.type, quals);
  expr.category = !lvalue                         ? Category::kRvalue
                  : found->field().is_bit_field() ? Category::kBitField
                                                  : Category::kLvalue;
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/expression/size_queries.hpp"

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {

void SizeQueries::size_query(SizeQuery& expr) {
  QualType type;
  if (auto* name = cast_if<TypeName>(expr.operand())) {
    type = c_.declared.type_name(*name);
  } else {
    auto& operand = *as<Expr>(expr.operand());
    c_.expressions.check(operand, Use::kUnevaluated);
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
    const auto* object = cast_if<Expr>(expr.operand());
    if (type.is_shared() && object != nullptr && object->category == Category::kBitField)
      c_.report(Diag::kOperand, Mark(expr.tokens), "'%' of a bit-field", {spelling(expr.op)});
    if (size && (!size->threads || !c_.dynamic_threads()))
      c_.constants.set(expr, size->threads ? size->factor * c_.options.threads : size->factor);
  } else {
    upc_size_query(expr, type);
  }
  expr.integer_constant = expr.value != nullptr;
}

// sizeof and its relatives of something shared whose size is not known here: the C compiler does not see it.
void SizeQueries::report_no_size(const SizeQuery& expr, QualType operand) {
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

void SizeQueries::upc_size_query(SizeQuery& expr, QualType operand) {
  if (!operand.is_shared()) {
    c_.report(Diag::kSizeNoshr, Mark(expr.tokens), "'%' needs a shared type or object; this is %",
              {spelling(expr.op), quoted(operand)});
    expr.has_error = true;
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

void SizeQueries::offset_of(OffsetofExpr& expr) {
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
      c_.expressions.value(*range->first());
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

}  // namespace upc2c

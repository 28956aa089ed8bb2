// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/expression/conversions.hpp"

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/check/expression/values.hpp"
#include "tools/upc2c/type/compat.hpp"

namespace upc2c {
namespace {

// A structure converts to nothing else, and nothing else to it; there is no value of type void. Of other
// types the C compiler will speak, but the lowered access to a shared structure has no such type.
bool structure_mismatch(QualType from, QualType to) {
  if (from.is_unknown() || to.is_unknown() || from.type == to.type) return false;
  if (from.is_void()) return !to.is_void();
  if (!from.is_record() && !to.is_record()) return false;
  if (to.is_record() && to->record->is_union) return false;  // it may be a transparent one
  return !to.is_void();
}

// A pointer and a number, neither of which is the other without a cast; 0 is a null pointer.
bool pointer_and_number(QualType from, QualType to, const Expr& value) {
  if (from.is_unknown() || to.is_unknown()) return false;
  if (from.is_private_pointer()) return to.is_arithmetic() && !to.is(TypeKind::kBool);
  if (!to.is_private_pointer() || !from.is_arithmetic() || value.null_constant) return false;
  const auto constant = Constants::integer(&value);
  return !constant || *constant != 0;
}

}  // namespace

void Conversions::set_target(Expr& expr, QualType to) {
  if (expr.use != Use::kRead || to.is_unknown() || to.is_void()) return;
  expr.target = to.unqualified();
  expr.has_upc |= to.is_pointer_to_shared();
  // An expression in parentheses is converted once, outside of them.
}

void Conversions::assign(Expr& value, QualType to, const Mark& at, std::string_view where) {
  const QualType from = value.target;
  const Mark operand(at.caret, value.tokens);
  const std::string label = quoted(from);
  if (from.is_unknown() && to.is_pointer_to_shared()) c_.report_unknown(value);
  switch (conversion(from, to, value.null_constant)) {
    case Conversion::kPts:
      c_.library.check_heap_block(value, to);
      break;
    case Conversion::kNone:
      if (pointer_and_number(from, to, value)) {
        // Between pointers and integers C compilers convert, with a warning.
        const bool converts = from.is_pointer() ? to.is_integer() : from.is_integer();
        c_.report(converts ? Diag::kIntConversion : Diag::kConversion, operand, "% needs %; this is %",
                  {where, quoted(to), label});
      }
      if (!structure_mismatch(from, to)) break;
      c_.report(Diag::kConversion, operand, "% needs %; this is %", {where, quoted(to), label});
      break;
    case Conversion::kNull:
    case Conversion::kPtsToBool:
      break;
    case Conversion::kDiscards:
      c_.report(Diag::kCnvQual, operand, "% loses a qualifier of what % points to: % is wanted",
                {where, label, quoted(to)});
      break;
    case Conversion::kMode:
      c_.report(Diag::kCnvMode, operand, "% loses strict or relaxed of what % points to: % is wanted",
                {where, label, quoted(to)});
      break;
    case Conversion::kDeepDiscards:
      c_.report(Diag::kDiscardedQualifiers, operand, "% loses a qualifier of what % points to: % is wanted",
                {where, label, quoted(to)});
      break;
    case Conversion::kLayout:
    case Conversion::kDeepLayout:
      if (label == quoted(to))
        c_.report(
            Diag::kCnvLayout, operand,
            "% converts % to a pointer to another structure of this name; one that a parameter names first is "
            "known in that function only: declare it before",
            {where, label});
      else
        c_.report(
            Diag::kCnvLayout, operand,
            "% converts % to %, which has another block size or element type; a cast says that it is meant",
            {where, label, quoted(to)});
      break;
    case Conversion::kToPrivate:
      c_.report(
            Diag::kCnvLocal, operand,
            "a pointer-to-shared does not convert to a private pointer; cast it if the object has affinity to this thread")
          .label(Mark(value.tokens), label);
      break;
    case Conversion::kToShared:
      c_.report(Diag::kCnvShared, operand,
                "a private pointer does not convert to a pointer-to-shared, not even by a cast")
          .label(Mark(value.tokens), label);
      break;
    case Conversion::kIntToPts:
      c_.report(Diag::kCnvInt, operand,
                "an integer other than the constant 0 does not convert to a pointer-to-shared")
          .label(Mark(value.tokens), label);
      break;
    case Conversion::kPtsToInt:
      c_.report(
            Diag::kCnvInt, operand,
            "a pointer-to-shared does not convert to an integer; upc_threadof, upc_phaseof and upc_addrfield give its parts")
          .label(Mark(value.tokens), label);
      break;
    case Conversion::kInvalid:
      c_.report(Diag::kConversion, operand, "% needs %; this is %", {where, quoted(to), label});
      break;
  }
  set_target(value, to);
}

void Conversions::explicit_cast(CastExpr& expr, QualType to) {
  Expr& operand = *expr.operand();
  const Mark at(expr.tokens.begin, expr.tokens);
  if (to.is_void()) return;
  if (operand.target.is_unknown() && to.is_pointer_to_shared()) c_.report_unknown(operand);
  switch (conversion(operand.target, to, operand.null_constant)) {
    case Conversion::kPts:
      c_.library.check_heap_block(operand, to);
      break;
    case Conversion::kNone:
      if (structure_mismatch(operand.target, to))
        c_.report(Diag::kConversion, at, "% cannot be cast to %", {quoted(operand.target), quoted(to)});
      break;
    case Conversion::kToShared:
      c_.report(
            Diag::kCastShared, at,
            "a private pointer cannot be cast to a pointer-to-shared (bupc_inverse_cast and bupc_local_to_shared do that)")
          .label(Mark(operand.tokens), quoted(operand.target));
      break;
    case Conversion::kIntToPts:
      c_.report(Diag::kCastInt, at,
                "an integer other than the constant 0 cannot be cast to a pointer-to-shared")
          .label(Mark(operand.tokens), quoted(operand.target));
      break;
    case Conversion::kPtsToInt:
      c_.report(Diag::kPtsInt, at, "the value of a pointer-to-shared as an integer is that of upc_addrfield")
          .label(Mark(operand.tokens), quoted(operand.target));
      break;
    case Conversion::kInvalid:
      if (!operand.target.is_void() || to.is_pointer_to_shared())
        c_.report(Diag::kConversion, at, "% cannot be cast to %", {quoted(operand.target), quoted(to)});
      break;
    case Conversion::kToPrivate:
      if (to->inner.is_function())
        c_.report(Diag::kConversion, at, "a pointer-to-shared cannot be cast to a pointer to a function");
      break;
    default:
      break;
  }
}

void Conversions::check_modifiable(const Expr& expr, const Mark& at) {
  const Expr* inner = &expr;
  while (const auto* paren = cast_if<ParenExpr>(inner)) inner = paren->inner();
  if (inner->is(NodeKind::kThreads) || inner->is(NodeKind::kMythread)) {
    c_.report(Diag::kThrLv, at, "'%' cannot be assigned to",
              {inner->is(NodeKind::kThreads) ? "THREADS" : "MYTHREAD"});
    return;
  }
  if (const auto* unary = cast_if<UnaryExpr>(inner); unary != nullptr && unary->op == UnaryOp::kAddress) {
    if (!is_of_a_value(expr)) c_.report(Diag::kLvalue, at, "an address is a value and cannot be assigned to");
    return;
  }
  if (is_value_of_operator(expr)) {
    if (!is_of_a_value(expr)) c_.report(Diag::kLvalue, at, "this is a value and cannot be assigned to");
    return;
  }
  if (!expr.type.is_shared()) return;  // the C compiler's to judge
  if (expr.type.is_array())
    c_.report(Diag::kLvalue, at, "an array cannot be assigned to");
  else if (expr.type.has(kConst))
    c_.report(Diag::kLvalue, at, "an object of type % cannot be assigned to", {quoted(expr.type)});
  else if (expr.type.is_record() && expr.type->record->has_const_member)
    c_.report(Diag::kLvalue, at, "an object of type % cannot be assigned to: it has a const member",
              {quoted(expr.type)});
  else if (!expr.is_lvalue())
    c_.report(Diag::kLvalue, at, "this is a value and cannot be assigned to");
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/expression/operators.hpp"

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/check/expression/values.hpp"
#include "tools/upc2c/type/compat.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

std::string block_of(QualType pointer) {
  const std::uint32_t block = pointer->inner.ultimate_element().block;
  return block == 0 ? "indefinite" : std::to_string(block);
}

// Operators of integers: % << >> & ^ |.
bool needs_integers(BinaryOp op) {
  return op == BinaryOp::kRemainder || op == BinaryOp::kShiftLeft || op == BinaryOp::kShiftRight ||
         op == BinaryOp::kBitAnd || op == BinaryOp::kBitXor || op == BinaryOp::kBitOr;
}

// A structure, nothing, or a number that the operator is not for. C compilers find this, too, but in words
// about the translation.
bool is_wrong_operand(QualType type, bool integer) {
  return type.is_record() || type.is_void() || (integer && type.is_arithmetic() && !type.is_integer());
}

// The objects that two pointers-to-shared point to have one layout and compatible types.
bool same_target(QualType left, QualType right) { return compatible(left->inner, right->inner, true); }

// Of a bit-field, or of an expression that gcc and clang give the type of one; -1: it is none.
int bit_width_of(const Expr& expr) {
  if (const auto* paren = cast_if<ParenExpr>(&expr)) return bit_width_of(*paren->inner());
  if (const auto* assign = cast_if<AssignExpr>(&expr)) return bit_width_of(*assign->left());
  if (const auto* binary = cast_if<BinaryExpr>(&expr))
    return binary->op == BinaryOp::kComma ? bit_width_of(*binary->right()) : -1;
  if (const auto* unary = cast_if<UnaryExpr>(&expr))
    return unary->op == UnaryOp::kExtension || unary->op == UnaryOp::kPreIncrement ||
                   unary->op == UnaryOp::kPreDecrement || unary->op == UnaryOp::kPostIncrement ||
                   unary->op == UnaryOp::kPostDecrement
               ? bit_width_of(*unary->operand())
               : -1;
  const auto* field = cast_if<MemberExpr>(&expr);
  return field != nullptr && field->member != nullptr ? field->member->field().bit_width : -1;
}

// An operand's type; that of a bit-field is promoted by its width (C11 6.3.1.1).
QualType field_promoted(Types& types, const Expr& operand) {
  const int width = bit_width_of(operand);
  return width >= 0 ? promote(types, operand.target, width) : operand.target;
}

}  // namespace

Diagnostic& Operators::report(Diag diag, const Mark& at, const Expr& left, const Expr& right,
                              std::string_view pattern, std::initializer_list<std::string_view> arguments) {
  return c_.report(diag, at, pattern, arguments)
      .label(Mark(left.tokens), quoted(left.target))
      .label(Mark(right.tokens), quoted(right.target));
}

// A part of a shared object is a shared object, which is accessed alone.
void Operators::complex_part(UnaryExpr& expr, QualType value) {
  Expr& operand = *expr.operand();
  expr.type = value.is(TypeKind::kComplex) ? value->inner : value;
  expr.category = operand.category;
  if (!value.is(TypeKind::kComplex) || !operand.is_lvalue() || !operand.type.is_shared()) return;
  expr.type = c_.types.qualify(expr.type, operand.type.quals, operand.type.block);
  operand.use = Use::kAddress;
  operand.target = operand.type;
  operand.mode = AccessMode::kNone;
}

void Operators::unary(UnaryExpr& expr, Use use) {
  switch (expr.op) {
    case UnaryOp::kAddress:
      return address(expr);
    case UnaryOp::kDereference:
      return dereference(expr);
    case UnaryOp::kPreIncrement:
    case UnaryOp::kPreDecrement:
    case UnaryOp::kPostIncrement:
    case UnaryOp::kPostDecrement:
      return increment(expr);
    case UnaryOp::kLabelAddress:
      expr.type = c_.types.pointer_to(c_.types.void_type());
      return;
    case UnaryOp::kExtension: {
      Expr& operand = *expr.operand();
      c_.expressions.check(operand, use);
      expr.type = operand.type;
      expr.category = operand.category;
      expr.transparent = true;
      expr.value = operand.value;
      expr.null_constant = operand.null_constant;
      expr.integer_constant = operand.integer_constant;
      return;
    }
    default:
      break;
  }
  Expr& operand = *expr.operand();
  const QualType type = c_.expressions.value(operand);
  if (type.is_pointer_to_shared() && expr.op != UnaryOp::kNot) {
    c_.report(Diag::kOperand, Mark(expr.op_token, expr.tokens), "'%' of a pointer-to-shared",
              {spelling(expr.op)})
        .label(Mark(operand.tokens), quoted(type));
    return;
  }
  const bool bits = expr.op == UnaryOp::kBitNot && !type.is(TypeKind::kComplex);  // GNU: the conjugate
  if (is_wrong_operand(type, bits)) {
    c_.report(Diag::kOperand, Mark(expr.op_token, expr.tokens), "'%' has no meaning for %",
              {spelling(expr.op), quoted(type)});
    return;
  }
  if (expr.op == UnaryOp::kNot)
    expr.type = c_.types.int_type();
  else if (expr.op == UnaryOp::kReal || expr.op == UnaryOp::kImag)
    complex_part(expr, type);
  else if (type.is_integer()) {
    expr.type = promote(c_.types, type, bit_width_of(operand));
    c_.conversions.set_target(operand, expr.type);
  } else {
    expr.type = type;
  }
  c_.constants.unary(expr);
}

void Operators::address(UnaryExpr& expr) {
  Expr& operand = *expr.operand();
  c_.expressions.check(operand, Use::kAddress);
  const Expr* inner = &operand;
  while (const auto* paren = cast_if<ParenExpr>(inner)) inner = paren->inner();
  if (inner->is(NodeKind::kThreads) || inner->is(NodeKind::kMythread)) {
    c_.report(Diag::kThrLv, Mark(expr.op_token, expr.tokens), "'%' is a value and has no address",
              {inner->is(NodeKind::kThreads) ? "THREADS" : "MYTHREAD"});
    return;
  }
  if (operand.category == Category::kBitField) {
    c_.report(Diag::kLvalue, Mark(expr.op_token, expr.tokens), "a bit-field has no address");
    return;
  }
  if (is_value_of_operator(operand)) {
    if (!is_of_a_value(operand))
      c_.report(Diag::kLvalue, Mark(expr.op_token, expr.tokens), "a value has no address");
    return;
  }
  if (const auto* name = cast_if<NameExpr>(inner))
    if (name->symbol != nullptr) name->symbol->address_taken = true;
  if (operand.type.is_unknown()) return;
  expr.type = c_.types.pointer_to(operand.type);
}

void Operators::dereference(UnaryExpr& expr) {
  const QualType type = c_.expressions.value(*expr.operand());
  if (type.is_arithmetic() || type.is_record())
    c_.report(Diag::kOperand, Mark(expr.op_token, expr.tokens), "'*' needs a pointer, and this is %",
              {quoted(type)});
  if (!type.is_pointer()) return;
  expr.type = type->inner;
  expr.category = expr.type.is_function() ? Category::kFunction : Category::kLvalue;
}

void Operators::increment(UnaryExpr& expr) {
  Expr& operand = *expr.operand();
  c_.expressions.check(operand, Use::kUpdated);
  c_.conversions.check_modifiable(operand, Mark(expr.op_token, expr.tokens));
  expr.type = operand.type.unqualified();
  if (expr.type.is_pointer_to_shared())
    check_arithmetic(Mark(expr.op_token, expr.tokens), operand, expr.type);
}

bool Operators::check_arithmetic(const Mark& at, const Expr& operand, QualType pointer) {
  const QualType pointee = pointer->inner;
  for (QualType t = pointee; t.is_array(); t = t->inner)
    if (t->bound == Bound::kVariable) {
      c_.report(Diag::kShrVla, at, "arithmetic on a pointer-to-shared to an array whose bound is no constant")
          .label(Mark(operand.tokens), quoted(pointer));
      return false;
    }
  if (pointee.is_void()) {
    c_.report(Diag::kAriVoid, at,
              "arithmetic on a generic pointer-to-shared; cast it to 'shared [] char *' first")
        .label(Mark(operand.tokens), quoted(pointer));
    return false;
  }
  if (!size_of(pointee) &&
      !(pointee.ultimate_element().is_record() && pointee.ultimate_element()->record->complete)) {
    c_.report(Diag::kAriIncomplete, at, "arithmetic on a pointer to the incomplete type %",
              {quoted(pointee)});
    return false;
  }
  return true;
}

void Operators::refuse_pointer_to_shared(const Expr& expr, std::string_view where) {
  if (expr.target.is_pointer_to_shared())
    c_.report(Diag::kOperand, Mark(expr.tokens), "% is an integer, and this is a pointer-to-shared", {where})
        .label(Mark(expr.tokens), quoted(expr.target));
}

// One operand is a pointer-to-shared and the other a private pointer.
bool Operators::mixed(Diag diag, const Mark& at, std::string_view op, const Expr& left, const Expr& right) {
  const bool wrong =
      (left.target.is_pointer_to_shared() && right.target.is_private_pointer() && !right.null_constant) ||
      (right.target.is_pointer_to_shared() && left.target.is_private_pointer() && !left.null_constant);
  if (wrong) report(diag, at, left, right, "'%' between a pointer-to-shared and a private pointer", {op});
  return wrong;
}

void Operators::binary(BinaryExpr& expr, Use use) {
  Expr &left = *expr.left(), &right = *expr.right();
  if (expr.op == BinaryOp::kComma) {
    c_.expressions.check(left, Use::kDiscarded);
    c_.expressions.check(right, use == Use::kDiscarded ? use : Use::kRead);
    expr.type = use == Use::kDiscarded ? right.type.unqualified() : right.target;
    return;
  }
  const QualType a = c_.expressions.value(left), b = c_.expressions.value(right);
  const Mark at(expr.op_token, expr.tokens);
  if (expr.op == BinaryOp::kLogicalAnd || expr.op == BinaryOp::kLogicalOr) {
    expr.type = c_.types.int_type();
    for (const Expr* operand : {&left, &right})
      if (is_wrong_operand(operand->target, false))
        c_.report(Diag::kOperand, at, "'%' has no meaning for %",
                  {spelling(expr.op), quoted(operand->target)});
  } else if (is_comparison(expr.op)) {
    expr.type = c_.types.int_type();
    compare(expr, a, b);
  } else if (expr.op == BinaryOp::kAdd || expr.op == BinaryOp::kSubtract) {
    additive(expr, a, b);
  } else if (a.is_pointer_to_shared() || b.is_pointer_to_shared()) {
    report(Diag::kOperand, at, left, right, "'%' has no meaning for a pointer-to-shared",
           {spelling(expr.op)});
  } else {
    arithmetic(expr, a, b);
  }
  c_.constants.binary(expr);
}

void Operators::arithmetic(BinaryExpr& expr, QualType left, QualType right) {
  const bool integers = needs_integers(expr.op);
  if (is_wrong_operand(left, integers) || is_wrong_operand(right, integers)) {
    report(Diag::kOperand, Mark(expr.op_token, expr.tokens), *expr.left(), *expr.right(),
           "'%' has no meaning for %",
           {spelling(expr.op), quoted(is_wrong_operand(left, integers) ? left : right)});
    return;
  }
  if (expr.op == BinaryOp::kShiftLeft || expr.op == BinaryOp::kShiftRight) {
    expr.type = left.is_integer() ? promote(c_.types, left, bit_width_of(*expr.left())) : left;
    c_.conversions.set_target(*expr.left(), expr.type);
    return;
  }
  const QualType common = usual_arithmetic(c_.types, field_promoted(c_.types, *expr.left()),
                                           field_promoted(c_.types, *expr.right()));
  if (!is_comparison(expr.op)) expr.type = common;
  if (common.is_unknown() || common.is(TypeKind::kVector)) return;
  c_.conversions.set_target(*expr.left(), common);
  c_.conversions.set_target(*expr.right(), common);
}

void Operators::additive(BinaryExpr& expr, QualType left, QualType right) {
  const Mark at(expr.op_token, expr.tokens);
  const std::string_view op = spelling(expr.op);
  if (left.is_pointer() && right.is_pointer()) {
    if (expr.op == BinaryOp::kSubtract && left.is_pointer_to_shared() == right.is_pointer_to_shared())
      return subtract_pointers(expr, left, right);
    if (!mixed(Diag::kAriMixed, at, op, *expr.left(), *expr.right()) &&
        (left.is_pointer_to_shared() || right.is_pointer_to_shared()))
      report(Diag::kOperand, at, *expr.left(), *expr.right(), "'%' of two pointers", {op});
    return;
  }
  if (!left.is_pointer() && !right.is_pointer()) return arithmetic(expr, left, right);
  const bool pointer_left = left.is_pointer();
  const QualType pointer = pointer_left ? left : right, number = pointer_left ? right : left;
  if (pointer.is_pointer_to_shared()) {
    if ((!number.is_integer() && !number.is_unknown()) || (!pointer_left && expr.op == BinaryOp::kSubtract)) {
      report(Diag::kOperand, at, *expr.left(), *expr.right(), "'%' needs a pointer-to-shared and an integer",
             {op});
      return;
    }
    check_arithmetic(at, pointer_left ? *expr.left() : *expr.right(), pointer);
  }
  expr.type = pointer;
}

void Operators::subtract_pointers(BinaryExpr& expr, QualType left, QualType right) {
  expr.type = c_.types.ptrdiff_type();
  if (!left.is_pointer_to_shared()) return;
  const Mark at(expr.op_token, expr.tokens);
  const Expr &a = *expr.left(), &b = *expr.right();
  if (left->inner.is_void() || right->inner.is_void()) {
    report(Diag::kAriVoid, at, a, b, "'-' on a generic pointer-to-shared (shared void *)", {});
  } else if (block_of(left) != block_of(right)) {
    report(Diag::kAriBlock, at, a, b, "'-' between pointers-to-shared of different block sizes (% and %)",
           {block_of(left), block_of(right)});
  } else if (!same_target(left, right)) {
    report(Diag::kAriType, at, a, b, "'-' between pointers-to-shared of different types", {});
  } else {
    check_arithmetic(at, a, left);
  }
}

void Operators::compare(BinaryExpr& expr, QualType left, QualType right) {
  if (!left.is_pointer_to_shared() && !right.is_pointer_to_shared()) return arithmetic(expr, left, right);
  const Mark at(expr.op_token, expr.tokens);
  const std::string_view op = spelling(expr.op);
  Expr &a = *expr.left(), &b = *expr.right();
  const bool equality = expr.op == BinaryOp::kEqual || expr.op == BinaryOp::kNotEqual;
  if (mixed(Diag::kCmpMixed, at, op, a, b)) return;
  if (left.is_pointer_to_shared() && right.is_pointer_to_shared()) {
    const bool generic = left->inner.is_void() || right->inner.is_void();
    if (generic && !equality) {
      report(Diag::kCmpVoid, at, a, b, "'%' on a generic pointer-to-shared (shared void *)", {op});
    } else if (!generic && block_of(left) != block_of(right)) {
      report(Diag::kCmpBlock, at, a, b, "'%' between pointers-to-shared of different block sizes (% and %)",
             {op, block_of(left), block_of(right)});
    } else if (!generic && !same_target(left, right)) {
      report(Diag::kCmpBlock, at, a, b, "'%' between pointers-to-shared of different types", {op});
    }
    return;
  }
  Expr& other = left.is_pointer_to_shared() ? b : a;
  const QualType pointer = left.is_pointer_to_shared() ? left : right;
  if (other.null_constant && equality) {
    c_.conversions.set_target(other, pointer);
  } else if (other.target.is_unknown()) {
    c_.report_unknown(other);
  } else {
    report(Diag::kCmpMixed, at, a, b, "'%' between a pointer-to-shared and a number", {op});
  }
}

void Operators::assign(AssignExpr& expr) {
  Expr &left = *expr.left(), &right = *expr.right();
  const Mark at(expr.op_token, expr.tokens);
  c_.expressions.check(left, expr.compound ? Use::kUpdated : Use::kAssigned);
  const QualType value = c_.expressions.value(right);
  c_.conversions.check_modifiable(left, at);
  expr.type = left.type.unqualified();
  if (left.type.is_array()) return;
  if (!expr.compound) {
    c_.conversions.assign(right, expr.type, at, "an assignment");
    return;
  }
  if (expr.type.is_pointer_to_shared()) {
    if ((expr.op != BinaryOp::kAdd && expr.op != BinaryOp::kSubtract) ||
        (!value.is_integer() && !value.is_unknown()))
      report(Diag::kOperand, at, left, right, "'%=' needs a pointer-to-shared and an integer",
             {spelling(expr.op)});
    else
      check_arithmetic(at, left, expr.type);
  } else if (value.is_pointer_to_shared()) {
    report(Diag::kOperand, at, left, right, "'%=' has no meaning for a pointer-to-shared on its right",
           {spelling(expr.op)});
  } else {
    const bool integers = needs_integers(expr.op);
    if (is_wrong_operand(expr.type, integers) || is_wrong_operand(value, integers))
      report(Diag::kOperand, at, left, right, "'%=' has no meaning for %",
             {spelling(expr.op), quoted(is_wrong_operand(value, integers) ? value : expr.type)});
  }
}

QualType Operators::common_type(ConditionalExpr& expr, Expr& then_value, Expr& else_value) {
  const QualType a = then_value.target, b = else_value.target;
  const Mark at(expr.op_token, expr.tokens);
  if (a.is_pointer_to_shared() || b.is_pointer_to_shared()) {
    if (then_value.null_constant) return b;
    if (else_value.null_constant) return a;
    if (mixed(Diag::kAriMixed, at, "?:", then_value, else_value)) return a.is_pointer_to_shared() ? a : b;
    if (!a.is_pointer_to_shared() || !b.is_pointer_to_shared()) {
      if (a.is_unknown() || b.is_unknown())
        c_.report_unknown(a.is_unknown() ? then_value : else_value);
      else if (!a.is_void() && !b.is_void()) {
        report(Diag::kCmpMixed, at, then_value, else_value,
               "'?:' between a pointer-to-shared and another type", {});
        return c_.types.unknown();
      }
      return a.is_pointer_to_shared() ? a : b;
    }
    const QualType left = a->inner, right = b->inner;
    const unsigned quals =
        (left.quals | right.quals) & static_cast<unsigned>(kConst | kVolatile | kStrict | kRelaxed);
    if (left.is_void() || right.is_void())
      return c_.types.pointer_to(c_.types.qualify(left.is_void() ? left : right, quals));
    if (block_of(a) != block_of(b))
      report(Diag::kCmpBlock, at, then_value, else_value,
             "'?:' between pointers-to-shared of different block sizes (% and %)",
             {block_of(a), block_of(b)});
    else if (!same_target(a, b))
      report(Diag::kCmpBlock, at, then_value, else_value,
             "'?:' between pointers-to-shared of different types", {});
    return c_.types.pointer_to(c_.types.qualify(left, quals));
  }
  if (a.is_arithmetic() && b.is_arithmetic())
    return usual_arithmetic(c_.types, field_promoted(c_.types, then_value),
                            field_promoted(c_.types, else_value));
  if (a.is_void() || b.is_void()) return c_.types.void_type();
  if (a.is_pointer() && b.is_pointer()) {
    if (then_value.null_constant) return b;
    if (else_value.null_constant) return a;
    return b->inner.is_void() ? b : a;
  }
  return a.is_pointer() || b.is_unknown() ? a : b.is_pointer() ? b : a;
}

}  // namespace upc2c

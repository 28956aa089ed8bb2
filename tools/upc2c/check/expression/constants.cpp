// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/check/expression/constants.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "tools/upc2c/check/check.hpp"
#include "tools/upc2c/text/code_units.hpp"
#include "tools/upc2c/type/compat.hpp"

namespace upc2c {
namespace {

__extension__ using Unsigned = unsigned __int128;

// The element type that a prefix gives.
TypeKind prefixed_kind(std::string_view prefix) {
  if (prefix == "L") return TypeKind::kInt;  // wchar_t
  if (prefix == "u") return TypeKind::kUShort;
  return prefix == "U" ? TypeKind::kUInt : TypeKind::kChar;
}

}  // namespace

Constants::Integer Constants::wrap(Integer value, QualType type) const {
  if (type.is(TypeKind::kBool)) return value != 0;
  const unsigned width = width_of(type);
  if (width >= 128) return value;
  const Unsigned low = static_cast<Unsigned>(value) & ((Unsigned{1} << width) - 1);
  if (!is_unsigned(type, c_.types.target()) && ((low >> (width - 1)) & 1) != 0)
    return static_cast<Integer>(low | (~Unsigned{0} << width));
  return static_cast<Integer>(low);
}

void Constants::set(Expr& expr, Integer value) {
  auto* constant = c_.arena.make<Constant>();
  constant->integer = expr.type.is_integer() ? wrap(value, expr.type) : value;
  expr.value = constant;
}

std::optional<Constants::Integer> Constants::integer(const Expr* expr) {
  if (expr == nullptr || expr->value == nullptr || expr->value->kind != Constant::Kind::kInteger)
    return std::nullopt;
  return expr->value->integer;
}

void Constants::number(Literal& literal) {
  const std::string_view text = c_.stream.text(literal.tokens.begin);
  const bool hex = text.size() > 1 && text[0] == '0' && (text[1] | 32) == 'x';
  const std::size_t digits =
      text.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789", hex ? 2 : 0);
  const bool has_point = text.find('.') != std::string_view::npos ||
                         (digits != std::string_view::npos && (text[digits] | 32) == (hex ? 'p' : 'e'));
  if (has_point) return floating(literal, text);
  int base = 10;
  std::size_t i = 0;
  if (hex)
    base = 16, i = 2;
  else if (text.size() > 1 && text[0] == '0' && (text[1] | 32) == 'b')
    base = 2, i = 2;
  else if (text[0] == '0')
    base = 8;
  Integer value = 0;
  bool too_large = false;
  for (; i < text.size() && digit_of(text[i]) < base; i++) {
    value = value * base + digit_of(text[i]);
    too_large |= value > Integer{UINT64_MAX};
    value &= Integer{UINT64_MAX};
  }
  unsigned longs = 0;
  bool is_unsigned = false, imaginary = false;
  if (const std::size_t wrong = text.find_first_not_of("uUlLiIjJ", i); wrong != std::string_view::npos) {
    c_.report(Diag::kSyntax, Mark(literal.tokens), "'%' is no suffix of a number", {text.substr(i)});
    return;
  }
  for (; i < text.size(); i++) {
    longs += (text[i] | 32) == 'l';
    is_unsigned |= (text[i] | 32) == 'u';
    imaginary |= (text[i] | 32) == 'i' || (text[i] | 32) == 'j';
  }
  // The first type of the list in which the value fits; decimal ones without u have no unsigned types in it.
  TypeKind kind = longs == 0 ? TypeKind::kInt : longs == 1 ? TypeKind::kLong : TypeKind::kLongLong;
  const auto fits = [&](unsigned bits) { return (static_cast<Unsigned>(value) >> bits) == 0; };
  const auto unsigned_of = [](TypeKind k) { return static_cast<TypeKind>(static_cast<int>(k) + 1); };
  if (kind == TypeKind::kInt && !fits(is_unsigned || base != 10 ? 32 : 31)) kind = TypeKind::kLong;
  const unsigned sign_bits = kind == TypeKind::kInt ? 31 : 63;
  if (is_unsigned || (base != 10 && !fits(sign_bits)))
    kind = unsigned_of(kind);
  else if (!fits(sign_bits))
    kind = TypeKind::kInt128;  // as gcc has it
  if (too_large) {
    // gcc cuts it off and warns; an array or a block of another size is nobody's wish.
    c_.report(Diag::kConst, Mark(literal.tokens), "the number does not fit in 64 bits");
    literal.type = c_.types.unknown();
    return;
  }
  literal.type = c_.types.basic(kind);
  if (imaginary) {
    literal.type = c_.types.complex_of(literal.type);
    return;
  }
  literal.integer_constant = true;
  set(literal, value);
}

void Constants::floating(Literal& literal, std::string_view text) {
  TypeKind kind = TypeKind::kDouble;
  bool imaginary = false;
  std::size_t end = text.size();
  const bool hex = text.size() > 1 && (text[1] | 32) == 'x';
  // Suffixes: f F l L, i I j J, f16 ... f128x, dd df dl, q w; a hexadecimal digit before the exponent is
  // none.
  std::size_t start = text.find_last_of(hex ? "pP" : "eE");
  if (start == std::string_view::npos) start = 0;
  while (end > start + 1 && !(text[end - 1] >= '0' && text[end - 1] <= '9') && text[end - 1] != '.') end--;
  const std::size_t f = text.find_first_of("fF", start);
  std::string suffix(text.substr(end));
  if (f != std::string_view::npos && !hex) suffix = text.substr(f);
  for (char& ch : suffix) ch = static_cast<char>(ch | 32);
  suffix.erase(std::remove_if(suffix.begin(), suffix.end(),
                              [&](char ch) { return (ch == 'i' || ch == 'j') && (imaginary = true); }),
               suffix.end());
  if (suffix == "f")
    kind = TypeKind::kFloat;
  else if (suffix == "l")
    kind = TypeKind::kLongDouble;
  else if (suffix == "f32")
    kind = TypeKind::kFloat32;
  else if (suffix == "f64")
    kind = TypeKind::kFloat64;
  else if (suffix == "f32x")
    kind = TypeKind::kFloat32x;
  else if (suffix == "f64x")
    kind = TypeKind::kFloat64x;
  else if (suffix == "f128" || suffix == "q")
    kind = TypeKind::kFloat128;
  else if (suffix == "f16")
    kind = TypeKind::kFloat16;
  else if (suffix == "df")
    kind = TypeKind::kDecimal32;
  else if (suffix == "dd")
    kind = TypeKind::kDecimal64;
  else if (suffix == "dl")
    kind = TypeKind::kDecimal128;
  literal.type = c_.types.basic(kind);
  if (imaginary) {
    literal.type = c_.types.complex_of(literal.type);
    return;
  }
  auto* constant = c_.arena.make<Constant>();
  constant->kind = Constant::Kind::kFloating;
  constant->floating = std::strtold(std::string(text).c_str(), nullptr);
  literal.value = constant;
}

void Constants::character(Literal& literal) {
  std::string_view text = c_.stream.text(literal.tokens.begin);
  const std::size_t quote = std::min(text.find('\''), text.size() - 1);
  const TypeKind kind = prefixed_kind(text.substr(0, quote));
  text.remove_prefix(quote + 1);
  literal.type = c_.types.basic(kind == TypeKind::kChar ? TypeKind::kInt : kind);
  literal.integer_constant = true;
  std::vector<std::uint32_t> units;
  while (!text.empty() && text[0] != '\'') next_units(text, width_of(c_.types.basic(kind)), units);
  Integer value = 0;
  for (const std::uint32_t unit : units)
    value = kind == TypeKind::kChar ? value * 256 + (unit & 255) : static_cast<Integer>(unit);
  if (units.size() == 1 && kind == TypeKind::kChar) value = wrap(value, c_.types.char_type());
  set(literal, value);
}

// Of adjacent strings one with a prefix gives it to all.
void Constants::string(Literal& literal) {
  TypeKind kind = TypeKind::kChar;
  std::vector<std::string_view> texts;
  for (TokenIndex i = literal.tokens.begin; i < literal.tokens.end; i++) {
    const std::string_view text = c_.stream.text(i);
    const std::size_t quote = std::min(text.find('"'), text.size() - 1);
    if (quote > 0 && text.substr(0, quote) != "u8") kind = prefixed_kind(text.substr(0, quote));
    texts.push_back(text.substr(quote + 1));
  }
  std::vector<std::uint32_t> units;
  for (std::string_view text : texts)
    while (!text.empty() && text[0] != '"') next_units(text, width_of(c_.types.basic(kind)), units);
  literal.category = Category::kLvalue;
  const auto length = static_cast<std::int64_t>(units.size()) + 1;
  literal.type = c_.types.array_of(c_.types.basic(kind), Bound::kExtent, {length, false});
}

void Constants::unary(UnaryExpr& expr) {
  const std::optional<Integer> operand = integer(expr.operand());
  if (!operand || !expr.type.is_integer()) return;
  expr.integer_constant = expr.operand()->integer_constant;
  switch (expr.op) {
    case UnaryOp::kPlus:
    case UnaryOp::kExtension:
      return set(expr, *operand);
    case UnaryOp::kMinus:
      return set(expr, -*operand);
    case UnaryOp::kBitNot:
      return set(expr, ~*operand);
    case UnaryOp::kNot:
      return set(expr, *operand == 0);
    default:
      return;
  }
}

void Constants::binary(BinaryExpr& expr) {
  const std::optional<Integer> left = integer(expr.left()), right = integer(expr.right());
  if (expr.op == BinaryOp::kLogicalAnd && left && *left == 0) return set(expr, 0);
  if (expr.op == BinaryOp::kLogicalOr && left && *left != 0) return set(expr, 1);
  if (!left || !right || !expr.type.is_integer() || expr.op == BinaryOp::kComma) return;
  // Shifts are of the promoted left operand; the others of the common type.
  Integer a = *left, b = *right;
  if (expr.op != BinaryOp::kShiftLeft && expr.op != BinaryOp::kShiftRight &&
      expr.left()->target.is_integer()) {
    a = wrap(a, expr.left()->target);
    b = wrap(b, expr.right()->target);
  }
  expr.integer_constant = expr.left()->integer_constant && expr.right()->integer_constant;
  const auto u = [](Integer v) { return static_cast<Unsigned>(v); };
  switch (expr.op) {
    case BinaryOp::kMultiply:
      return set(expr, static_cast<Integer>(u(a) * u(b)));
    case BinaryOp::kDivide:
      if (b != 0) set(expr, b == -1 ? static_cast<Integer>(-u(a)) : a / b);
      return;
    case BinaryOp::kRemainder:
      if (b != 0) set(expr, b == -1 ? 0 : a % b);
      return;
    case BinaryOp::kAdd:
      return set(expr, static_cast<Integer>(u(a) + u(b)));
    case BinaryOp::kSubtract:
      return set(expr, static_cast<Integer>(u(a) - u(b)));
    case BinaryOp::kShiftLeft:
      if (b >= 0 && b < 128) set(expr, static_cast<Integer>(u(a) << static_cast<unsigned>(b)));
      return;
    case BinaryOp::kShiftRight:
      if (b >= 0 && b < 128) set(expr, a >> static_cast<unsigned>(b));
      return;
    case BinaryOp::kLess:
      return set(expr, a < b);
    case BinaryOp::kGreater:
      return set(expr, a > b);
    case BinaryOp::kLessEqual:
      return set(expr, a <= b);
    case BinaryOp::kGreaterEqual:
      return set(expr, a >= b);
    case BinaryOp::kEqual:
      return set(expr, a == b);
    case BinaryOp::kNotEqual:
      return set(expr, a != b);
    case BinaryOp::kBitAnd:
      return set(expr, a & b);
    case BinaryOp::kBitXor:
      return set(expr, a ^ b);
    case BinaryOp::kBitOr:
      return set(expr, a | b);
    case BinaryOp::kLogicalAnd:
      return set(expr, a != 0 && b != 0);
    case BinaryOp::kLogicalOr:
      return set(expr, a != 0 || b != 0);
    case BinaryOp::kComma:
      return;
  }
}

void Constants::convert(Expr& expr, const Expr& operand) {
  if (operand.value == nullptr) return;
  if (operand.value->kind == Constant::Kind::kFloating && expr.type.is_integer()) {
    const long double value = operand.value->floating;
    if (value > -9e18L && value < 1.8e19L) set(expr, static_cast<Integer>(value));
    expr.integer_constant = operand.is(NodeKind::kNumber);
    return;
  }
  if (operand.value->kind != Constant::Kind::kInteger) return;
  if (expr.type.is_floating()) {
    auto* constant = c_.arena.make<Constant>();
    constant->kind = Constant::Kind::kFloating;
    constant->floating = static_cast<long double>(operand.value->integer);
    expr.value = constant;
  } else if (expr.type.is_integer() || expr.type.is_pointer()) {
    set(expr, operand.value->integer);
    expr.integer_constant = operand.integer_constant && expr.type.is_integer();
  }
}

std::string Constants::decimal(Integer value) {
  __extension__ using Unsigned = unsigned __int128;
  std::string digits;
  Unsigned rest = value < 0 ? -static_cast<Unsigned>(value) : static_cast<Unsigned>(value);
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  return value < 0 ? "-" + digits : digits;
}

}  // namespace upc2c

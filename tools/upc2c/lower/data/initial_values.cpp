// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/data/initial_values.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tools/upc2c/ast/walk.hpp"
#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

const Expr* without_parentheses(const Expr* expr) {
  while (const auto* paren = cast_if<ParenExpr>(expr)) expr = paren->inner();
  return expr;
}

bool is_integer_value(const Expr& expr) {
  return expr.value != nullptr && expr.value->kind == Constant::Kind::kInteger;
}

// Whether it is made of numbers alone, so that C takes it for a constant.
bool is_arithmetic_constant(const Expr* expr) {
  switch (expr->kind) {
    case NodeKind::kNumber:
    case NodeKind::kCharacter:
    case NodeKind::kSizeQuery:
    case NodeKind::kOffsetof:
      return !expr->has_upc || expr->value != nullptr;
    case NodeKind::kName:
    case NodeKind::kThreads:
      return expr->value != nullptr;
    case NodeKind::kUnary:
      switch (as<UnaryExpr>(expr)->op) {
        case UnaryOp::kPlus:
        case UnaryOp::kMinus:
        case UnaryOp::kNot:
        case UnaryOp::kBitNot:
        case UnaryOp::kExtension:
          return is_arithmetic_constant(expr->expr(0));
        default:
          return false;
      }
    case NodeKind::kParen:
    case NodeKind::kBinary:
      if (const auto* binary = cast_if<BinaryExpr>(expr); binary != nullptr && binary->op == BinaryOp::kComma)
        return false;
      return std::all_of(expr->children().begin(), expr->children().end(),
                         [](const Node* child) { return is_arithmetic_constant(as<Expr>(child)); });
    case NodeKind::kConditional:
      return std::all_of(expr->children().begin(), expr->children().end(), [](const Node* child) {
        return child == nullptr || is_arithmetic_constant(as<Expr>(child));
      });
    case NodeKind::kCast:
      return expr->type.is_arithmetic() && is_arithmetic_constant(as<CastExpr>(expr)->operand());
    default:
      return false;
  }
}

bool is_null_pointer_to_shared(const Expr& value) {
  if (!value.target.is_pointer_to_shared()) return false;
  const Expr* inner = without_parentheses(&value);
  while (const auto* cast = cast_if<CastExpr>(inner)) {
    if (!cast->type.is_pointer()) break;
    inner = without_parentheses(cast->operand());
  }
  return value.null_constant || inner->null_constant ||
         (is_integer_value(*inner) && inner->value->integer == 0);
}

std::string null_initializer(QualType pointer) {
  return is_phaseless(pts_kind(pointer->inner)) ? "UPCR_NULL_PSHARED" : "UPCR_NULL_SHARED";
}

std::string zero_of(QualType type) {
  if (type.is_pointer_to_shared()) return null_initializer(type);
  return type.is_scalar() || type.is_unknown() ? "0" : "{0}";
}

}  // namespace

bool InitialValues::is_constant(const Expr& value) const {
  if (is_null_pointer_to_shared(value) || is_integer_value(value)) return true;
  if (value.target.is_pointer_to_shared() && value.has_upc) return false;
  if (value.is(NodeKind::kString) || value.is(NodeKind::kInitList) || is_arithmetic_constant(&value))
    return true;
  return !lower_.concerns(value);
}

bool InitialValues::is_constant(const InitLeaf& leaf) const {
  // GNU: an array gets the elements of a compound literal, and the literal is no object.
  const auto* literal = leaf.type.is_array() ? cast_if<CompoundLiteral>(stripped(leaf.value)) : nullptr;
  if (literal == nullptr) return is_constant(*leaf.value);
  const auto leaves = init_leaves(literal->list(), literal->type, lower_.types);
  return std::all_of(leaves.begin(), leaves.end(),
                     [this](const InitLeaf& element) { return is_constant(element); });
}

bool InitialValues::is_assigned(const Symbol& symbol, const Expr* initializer) const {
  if (!symbol.static_storage || symbol.is_shared_object() || !lower_.concerns(*initializer)) return false;
  const auto leaves = init_leaves(initializer, symbol.type, lower_.types);
  return std::any_of(leaves.begin(), leaves.end(),
                     [this](const InitLeaf& leaf) { return !is_constant(leaf); });
}

std::string InitialValues::constant_part(const Symbol& symbol, const Expr* initializer, bool assigned) {
  return constant_text(initializer, {lower_.moved_statics.is_moved(symbol), assigned});
}

std::string InitialValues::constant_text(const Expr* initializer, Style style) {
  if (!initializer->is(NodeKind::kInitList)) return constant_value(*initializer, style);
  if (const Expr* value = scalar_in_braces(initializer)) return constant_text(value, style);
  return lower_.splice.spliced(initializer, [&](const Node* item) {
    const auto* designated = cast_if<DesignatedInit>(item);
    if (designated == nullptr) return constant_text(as<Expr>(item), style);
    return lower_.splice.spliced(designated, [&](const Node* part) {
      if (part == designated->value_expr()) return constant_text(designated->value_expr(), style);
      const auto* range = cast_if<RangeDesignator>(part);
      if (!style.elsewhere || range == nullptr) return lower_.splice.text(part);
      std::string out = "[" + constant_value(*range->first(), style);
      if (range->last() != nullptr) out += " ... " + constant_value(*range->last(), style);
      return out + "]";
    });
  });
}

std::string InitialValues::constant_value(const Expr& value, Style style) {
  if (is_null_pointer_to_shared(value)) return null_initializer(value.target);
  if (style.zeros && !is_constant(value)) return zero_of(value.target);
  if (is_integer_value(value) && (style.elsewhere || value.has_upc))
    return integer_text(value.value->integer, value.type);
  return lower_.splice.text(&value);
}

std::string InitialValues::assignments(const Symbol& symbol, const Expr* initializer,
                                       const std::string& object) {
  return assignments(init_leaves(initializer, symbol.type, lower_.types), object);
}

std::string InitialValues::assignments(const std::vector<InitLeaf>& leaves, const std::string& object) {
  std::string out;
  for (const InitLeaf& leaf : leaves)
    if (!is_constant(leaf)) out += assignment(leaf, object);
  return out;
}

std::string InitialValues::assignment(const InitLeaf& leaf, const std::string& object) {
  std::string loops, lvalue = object, before;
  for (const InitStep& step : leaf.path) {
    if (step.field != nullptr) {
      if (step.field->name != 0) lvalue += "." + std::string(step.field->text);
    } else if (step.first == step.last) {
      lvalue += "[" + std::to_string(step.first) + "]";
    } else {
      const std::string i = lower_.splice.temporary("i");
      loops += "for (long " + i + " = " + std::to_string(step.first) + "; " + i +
               " <= " + std::to_string(step.last) + "; " + i + "++) ";
      lvalue += "[" + i + "]";
    }
  }
  const std::string value = start_up_text(*leaf.value, before);
  std::string out;
  if (leaf.type.is_array()) {
    out = "__builtin_memcpy(&" + lvalue + ", &" + value + ", sizeof " + value + ")";
  } else {
    // A member can be const.
    if (leaf.type.has(kConst))
      lvalue =
          "*(" + lower_.type_texts.spell(lower_.types.pointer_to(leaf.type.unqualified())) + ")&" + lvalue;
    out = lvalue + " = " + value;
  }
  out = loops + out + ";";
  return (before.empty() ? out : "{ " + before + out + " }") + "\n";
}

bool InitialValues::has_literal(const Node& node) {
  return find_below(&node, [](const Node* part) { return part->is(NodeKind::kCompoundLiteral); }) != nullptr;
}

std::string InitialValues::start_up_text(const Expr& value, std::string& statements) {
  std::string* const outer = std::exchange(statements_, &statements);
  std::string out = lower_.splice.text(&value);
  statements_ = outer;
  return out;
}

// A static object, of which each thread has its own.
std::string InitialValues::literal(const CompoundLiteral& literal) {
  const std::string name = lower_.splice.temporary("literal");
  std::string object = lower_.options.pthreads ? ThreadData::use(name) : name;
  const QualType type = lower_.types.unqualify(literal.type, kConst);
  lower_.statics.add_definition("static " + lower_.type_texts.spell(type, name) +
                                ThreadData::attribute(name) + " = " +
                                constant_text(literal.list(), {true, true}) + ";\n");
  *statements_ += assignments(init_leaves(literal.list(), literal.type, lower_.types), object);
  return object;
}

bool InitialValues::is_zero(const Expr* initializer, QualType type) const {
  const auto leaves = init_leaves(initializer, type, lower_.types);
  return std::all_of(leaves.begin(), leaves.end(), [](const InitLeaf& leaf) {
    const Expr& value = *leaf.value;
    if (value.null_constant || is_null_pointer_to_shared(value)) return true;
    if (value.value == nullptr || !leaf.type.is_arithmetic()) return false;
    if (is_integer_value(value)) return value.value->integer == 0;
    return value.value->floating == 0 && !std::signbit(value.value->floating);
  });
}

void InitialValues::refuse_flexible(const Symbol& symbol, const Expr* initializer) const {
  for (const InitLeaf& leaf : init_leaves(initializer, symbol.type, lower_.types))
    for (const InitStep& step : leaf.path) {
      if (step.field == nullptr || !step.field->type.is_array() ||
          step.field->type->bound != Bound::kIncomplete)
        continue;
      lower_.diagnostics.report(Diag::kIniCount, Mark(leaf.value->tokens),
                                "the flexible array member '%' of a shared object has no elements",
                                {step.field->text});
      return;
    }
}

QualType InitialValues::given_elements(QualType type, const std::vector<InitLeaf>& leaves) const {
  std::vector<std::int64_t> given;
  std::vector<Extent> extents;
  QualType element = type;
  for (; element.is_array(); element = element->inner) {
    extents.push_back(element->extent);
    given.push_back(0);
  }
  for (const InitLeaf& leaf : leaves)
    for (std::size_t d = 0; d < given.size(); d++) {
      std::int64_t end;
      if (d < leaf.path.size())
        end = leaf.path[d].last + 1;
      else if (const Expr* string = string_initializer(leaf.value, leaf.type))
        end = string->type->extent.factor;
      else  // an array as a whole
        end = leaf.type.is_array() && leaf.type->bound == Bound::kExtent ? leaf.type->extent.factor : 1;
      given[d] = std::max(given[d], extents[d].threads ? end : std::min(end, extents[d].factor));
    }
  QualType made = element.unqualified();
  for (std::size_t d = given.size(); d > 0; d--)
    made = lower_.types.array_of(made, Bound::kExtent, {std::max<std::int64_t>(given[d - 1], 1), false});
  return made;
}

std::string InitialValues::shared(const Symbol& symbol, const Expr* initializer, const std::string& proxy) {
  const auto leaves = init_leaves(initializer, symbol.type, lower_.types);
  const bool constant = std::all_of(leaves.begin(), leaves.end(), [this](const InitLeaf& leaf) {
    const Expr& value = *leaf.value;
    return string_initializer(&value, leaf.type) != nullptr || is_null_pointer_to_shared(value) ||
           is_integer_value(value) || is_arithmetic_constant(&value);
  });
  const QualType element = symbol.type.ultimate_element();
  const bool phaseless = is_phaseless(pts_kind(element));
  QualType type = given_elements(symbol.type, leaves);
  const std::string size = "sizeof(" + lower_.type_texts.spell(element) + ")";
  const std::string value = lower_.splice.temporary("value"), dims = lower_.splice.temporary("dims");
  std::string out;
  std::string before;
  if (constant)
    out += "static " + lower_.type_texts.spell(lower_.types.qualify(type, kConst), value) + " = " +
           constant_text(initializer, {symbol.function != nullptr, false});
  else
    out += lower_.type_texts.spell(type, value) + " = " + start_up_text(*initializer, before);
  out = "{ " + before + out + "; ";
  if (!symbol.type.is_array())
    return "if (upcr_mythread() == 0) " + out + "upcr_put_" + (phaseless ? "pshared" : "shared") + "(" +
           proxy + ", 0, &" + value + ", " + size + "); }\n";
  out += "upcr_startup_arrayinit_diminfo_t " + dims + "[] = {";
  std::size_t count = 0;
  for (QualType to = symbol.type, from = type; to.is_array(); to = to->inner, from = from->inner, count++)
    out += (count == 0 ? "{" : ", {") + std::to_string(from->extent.factor) + ", " +
           std::to_string(to->extent.factor) + ", " + (to->extent.threads ? "1" : "0") + "}";
  return out + "}; upcr_startup_init" + (phaseless ? "parray" : "array") + "(" + proxy + ", (void *)" +
         value + ", " + dims + ", " + std::to_string(count) + ", " + size + ", " +
         std::to_string(element.block) + "); }\n";
}

}  // namespace upc2c

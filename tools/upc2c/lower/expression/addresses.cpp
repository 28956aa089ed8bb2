// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/expression/addresses.hpp"

#include <algorithm>
#include <bit>

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

bool has_name(const Record& record) { return !record.tag.empty() || !record.typedef_name.empty(); }

// Whether the value is that of numbers and characters alone: sizes are left to the C compiler.
bool is_plain_constant(const Node* node) {
  switch (node->kind) {
    case NodeKind::kNumber:
    case NodeKind::kCharacter:
      return true;
    case NodeKind::kName:
      return static_cast<const Expr*>(node)->value != nullptr;  // an enumerator
    case NodeKind::kParen:
    case NodeKind::kUnary:
    case NodeKind::kBinary:
      return std::all_of(node->children().begin(), node->children().end(),
                         [](const Node* child) { return child != nullptr && is_plain_constant(child); });
    default:
      return false;
  }
}

}  // namespace

const Expr* stripped(const Expr* expr) {
  for (;;) {
    const Expr* part = nullptr;
    if (const auto* paren = cast_if<ParenExpr>(expr))
      part = paren->inner();
    else if (const auto* unary = cast_if<UnaryExpr>(expr);
             unary != nullptr && unary->op == UnaryOp::kExtension)
      part = unary->operand();
    else if (const auto* generic = cast_if<GenericExpr>(expr))
      part = generic->chosen;
    else if (const auto* choose = cast_if<ChooseExpr>(expr); choose != nullptr && choose->transparent)
      part = chosen(choose);
    if (part == nullptr) return expr;
    expr = part;
  }
}

const Expr* chosen(const ChooseExpr* choose) {
  const Expr* condition = stripped(choose->condition());
  return condition->value != nullptr && condition->value->integer != 0 ? choose->then_value()
                                                                       : choose->else_value();
}

bool is_phased(QualType pointee) { return !is_phaseless(pts_kind(pointee)); }

std::string_view kind_suffix(QualType pointer) { return is_phased(pointer->inner) ? "_shared" : "_pshared"; }

Address Addresses::of(const Expr* lvalue) {
  Location location = locate(lvalue);
  apply_index(location);
  return {location.pointer, location.offset.text(),   location.phased,
          location.proxy,   location.offset.varies(), location.align};
}

Addresses::ArrayPlace Addresses::in_array(const Expr* lvalue, const std::string& array) {
  array_ = array;
  Location location = locate(lvalue);
  apply_index(location);
  location.found.address = location.pointer;
  if (!location.offset.zero()) location.found.address += " + (uintptr_t)" + grouped(location.offset.text());
  return location.found;
}

Address Addresses::element(const Expr* pointer) {
  Location location = pointed_to(pointer);
  apply_index(location);
  return {location.pointer, location.offset.text(),   location.phased,
          location.proxy,   location.offset.varies(), location.align};
}

std::string Addresses::pointer_to(const Expr* lvalue, QualType pointer) {
  return pointer_value(locate(lvalue), pointer->inner);
}

std::string Addresses::moved(const Expr* sum, QualType pointer) {
  return pointer_value(pointed_to(sum), pointer->inner);
}

Addresses::Location Addresses::start_at(std::string pointer, bool phased, QualType element,
                                        std::string array) {
  Location location;
  location.pointer = std::move(pointer);
  location.phased = phased;
  location.element = element;
  location.array = std::move(array);
  if (!location.array.empty()) location.found = {location.pointer, phased, element, ""};
  return location;
}

Addresses::Location Addresses::locate(const Expr* lvalue) {
  lvalue = stripped(lvalue);
  switch (lvalue->kind) {
    case NodeKind::kName: {
      const Symbol& symbol = *as<NameExpr>(lvalue)->symbol;
      Location location = start_at(lower_.declarations.name(symbol), is_phased(symbol.type),
                                   symbol.type.ultimate_element(), std::exchange(array_, ""));
      location.proxy = true;
      return location;
    }
    case NodeKind::kUnary: {
      const auto* unary = as<UnaryExpr>(lvalue);
      const bool part = unary->op == UnaryOp::kReal || unary->op == UnaryOp::kImag;
      return part ? complex_part(*unary) : pointed_to(unary->operand());
    }
    case NodeKind::kIndex: {
      const auto* access = as<IndexExpr>(lvalue);
      if (const std::string* element = array_.empty() ? lower_.repeated.element(lvalue) : nullptr) {
        Location location = start_at(*element, is_phased(lvalue->type), lvalue->type.ultimate_element(), "");
        location.proxy = true;
        return location;
      }
      const bool swapped = !access->base()->target.is_pointer();
      const Expr* pointer = swapped ? access->index() : access->base();
      Location location = pointed_to(pointer);
      subscript(location, swapped ? access->base() : access->index(), pointer->target->inner, false);
      return location;
    }
    case NodeKind::kMember: {
      const auto* member = as<MemberExpr>(lvalue);
      Location location = member->arrow ? pointed_to(member->base()) : locate(member->base());
      enter(location, *member);
      return location;
    }
    default: {  // not an lvalue: reported by the checker
      Location location;
      location.pointer = lower_.splice.raw(lvalue);
      location.element = lvalue->type.ultimate_element();
      location.phased = is_phased(lvalue->type);
      return location;
    }
  }
}

// Where the value of a pointer-to-shared points, without computing the pointer where it is a sum or an
// address.
Addresses::Location Addresses::pointed_to(const Expr* pointer) {
  pointer = stripped(pointer);
  if (pointer->type.is_array() && pointer->type.is_shared()) return locate(pointer);
  if (const auto* unary = cast_if<UnaryExpr>(pointer); unary != nullptr && unary->op == UnaryOp::kAddress)
    return locate(unary->operand());
  if (const auto* binary = cast_if<BinaryExpr>(pointer);
      binary != nullptr && (binary->op == BinaryOp::kAdd || binary->op == BinaryOp::kSubtract)) {
    const bool left = binary->left()->target.is_pointer_to_shared();
    const Expr* base = left ? binary->left() : binary->right();
    Location location = pointed_to(base);
    subscript(location, left ? binary->right() : binary->left(), base->target->inner,
              binary->op == BinaryOp::kSubtract);
    return location;
  }
  const QualType pointee = lower_.expressions.natural(pointer)->inner;
  std::string array = std::exchange(array_, "");  // not for what is in the pointer
  return start_at(lower_.expressions.unconverted(pointer), is_phased(pointee), pointee.ultimate_element(),
                  std::move(array));
}

void Addresses::subscript(Location& location, const Expr* index, QualType pointee, bool negative) {
  const Extent count = element_count(pointee).value_or(Extent{1, false});
  const std::int64_t factor = negative ? -count.factor : count.factor;
  std::int64_t steps;
  if (!count.threads && index->value != nullptr && is_plain_constant(index) &&
      !__builtin_mul_overflow(static_cast<std::int64_t>(index->value->integer), factor, &steps)) {
    location.index.add(steps);
    return;
  }
  location.index.add(lower_.expressions.text(index), factor,
                     count.threads ? "(ptrdiff_t)upcr_threads()" : "");
}

// A complex number is an array of its real and its imaginary part (C11 6.2.5).
Addresses::Location Addresses::complex_part(const UnaryExpr& part) {
  Location location = locate(part.operand());
  apply_index(location);
  location.element = part.type;
  location.align = std::min(location.align, std::max(align_of(part.type), 1u));
  if (part.op == UnaryOp::kImag) location.offset.add_size(lower_.sizes.of(part.type.unqualified()));
  return location;
}

// The type of a record in C, which has no name for that of a member that a header declares without a tag.
std::string Addresses::type_of(const Expr& record) const {
  if (record.type.is_record() && has_name(*record.type->record))
    return lower_.type_texts.spell(record.type.unqualified());
  return "__typeof__(" + example(record) + ")";
}

// An object of the expression's type.
std::string Addresses::example(const Expr& expr) const {
  if (const auto* paren = cast_if<ParenExpr>(&expr)) return example(*paren->inner());
  if (const auto* index = cast_if<IndexExpr>(&expr); index != nullptr && index->base()->type.is_array())
    return example(*index->base()) + "[0]";
  const auto* member = cast_if<MemberExpr>(&expr);
  if (member == nullptr) return "(*(" + lower_.type_texts.spell(expr.type.unqualified()) + " *)0)";
  const std::string type = member->arrow
                               ? lower_.type_texts.spell(member->base()->target->inner.unqualified())
                               : type_of(*member->base());
  return "((" + type + " *)0)->" + std::string(lower_.stream.text(member->name_token));
}

// The members of an element are on one thread: from here on everything is an offset.
void Addresses::enter(Location& location, const MemberExpr& member) {
  apply_index(location);
  const Expr* base = member.base();
  const QualType record = member.arrow ? base->target->inner : base->type;
  location.align = std::min(location.align, std::max(align_of(record), 1u));
  // A packed record can be aligned more than its members.
  if (const std::uint64_t offset = member.member != nullptr ? member.member->bit_offset / 8 : 0; offset != 0)
    location.align = std::min(location.align, 1u << std::min(std::countr_zero(offset), 6));
  location.element = member.type.ultimate_element();
  if (member.category == Category::kBitField) return;  // its bytes are BitFields' to compute
  const std::string type = member.arrow ? lower_.type_texts.spell(record.unqualified()) : type_of(*base);
  location.offset.add_size("__builtin_offsetof(" + type + ", " +
                           std::string(lower_.stream.text(member.name_token)) + ")");
}

void Addresses::apply_index(Location& location) {
  if (!location.array.empty()) {
    const std::string index = location.index.zero() ? "0" : location.index.text();
    const std::string array = "&" + location.array, size = lower_.sizes.of(location.element);
    const std::uint32_t block = location.element.block;
    location.pointer = block == 1 ? call("upc2c_cyclic_element", {array, index, size})
                                  : call("upc2c_element", {array, index, size, std::to_string(block)});
    location.array.clear();
    location.index = {};
    return;
  }
  if (location.index.zero()) return;
  const std::string size = lower_.sizes.of(location.element);
  const std::uint32_t block = location.element.block;
  if (block == 0) {
    location.offset.add(location.index.times(size));
  } else if (block == 1) {
    location.pointer = call(call_library_ ? "upcri_moved_cyclic" : "upcr_add_pshared1",
                            {location.pointer, size, location.index.text()});
  } else {
    location.pointer = call(call_library_ ? "upcri_moved_blocks" : "upcr_add_shared",
                            {location.pointer, size, location.index.text(), std::to_string(block)});
  }
  if (block != 0) location.proxy = false;
  location.index = {};
}

std::string Addresses::pointer_value(Location location, QualType pointee) {
  const bool wanted = is_phased(pointee);
  const auto drop_phase = [&] {
    if (location.phased) location.pointer = call("upcr_shared_to_pshared", {location.pointer});
    location.phased = false;
  };
  if (location.element.block == 0 && location.offset.zero() && !location.index.zero() && !location.phased) {
    location.pointer = call("upcr_add_psharedI",
                            {location.pointer, lower_.sizes.of(location.element), location.index.text()});
    location.index = {};
  }
  apply_index(location);
  if (!location.offset.zero()) {
    drop_phase();
    location.pointer = call("upcr_add_psharedI", {location.pointer, "1", location.offset.text()});
  }
  if (location.phased && !wanted) drop_phase();
  if (!location.phased && wanted) location.pointer = call("upcr_pshared_to_shared", {location.pointer});
  return grouped(location.pointer);
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/place/places.hpp"

#include <algorithm>

#include "tools/upc2c/ast/plain_part.hpp"
#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

bool is_packed(QualType type) {
  return type.is_record() &&
         (type->record->packed || type->record->pack != 0 || type->record->unknown_layout);
}

// Whether the offset of a member is known, and a multiple of the alignment of its type.
bool is_regular(const MemberExpr& member) {
  const QualType record = member.arrow ? member.base()->target->inner : member.base()->type;
  if (member.member == nullptr || member.category == Category::kBitField || !record.is_record()) return false;
  if (is_packed(record)) return false;
  return std::none_of(member.member->path.begin(), member.member->path.end(), [](const Field* field) {
    return field->packed || field->type_align != 0 || is_packed(field->type);
  });
}

// The bytes from the beginning of an array to an element with a constant index.
std::optional<std::uint64_t> element_offset(const IndexExpr& element) {
  const Constant* index = element.index()->value;
  const auto size = size_of(element.type);
  if (index == nullptr || index->kind != Constant::Kind::kInteger || !size || size->threads) return {};
  const QualType array = element.base()->type;
  if (array->bound != Bound::kExtent || array->extent.threads || index->integer < 0 ||
      index->integer >= array->extent.factor)
    return {};
  return static_cast<std::uint64_t>(index->integer) * static_cast<std::uint64_t>(size->factor);
}

bool is_changed_by_name_only(QualType type) { return !type.has(kVolatile) && !type.has(kAtomic); }

bool only_names(const Expr* object, std::unordered_set<const Symbol*>& names);

// The same of a part of the expression.
bool part_only_names(const Node* part, std::unordered_set<const Symbol*>& names) {
  if (part == nullptr || !part->is_expr()) return false;
  const auto* expr = static_cast<const Expr*>(part);
  return !expr->is_shared_access() && expr->use != Use::kUnevaluated && only_names(expr, names);
}

// Whether what an expression reads are private objects by their names, and it has no effects.
bool only_names(const Expr* object, std::unordered_set<const Symbol*>& names) {
  const bool is_address = object->type.is_shared();  // of a part, no value is read
  const auto part_is = [&](const Node* part) { return part_only_names(part, names); };
  const auto parts_are = [&] {
    return std::all_of(object->children().begin(), object->children().end(), part_is);
  };
  switch (object->kind) {
    case NodeKind::kNumber:
    case NodeKind::kCharacter:
    case NodeKind::kThreads:
    case NodeKind::kMythread:
      return true;
    case NodeKind::kName: {
      const Symbol* symbol = as<NameExpr>(object)->symbol;
      if (symbol == nullptr) return false;
      if (symbol->kind == SymbolKind::kEnumerator || is_address) return true;
      if (symbol->kind != SymbolKind::kVariable && symbol->kind != SymbolKind::kParameter) return false;
      names.insert(symbol);
      return is_changed_by_name_only(object->type);
    }
    case NodeKind::kParen:
    case NodeKind::kConditional:
    case NodeKind::kBinary:
      return parts_are();
    case NodeKind::kUnary: {
      const UnaryOp op = as<UnaryExpr>(object)->op;
      if (op == UnaryOp::kLabelAddress || (op >= UnaryOp::kPreIncrement && op <= UnaryOp::kPostDecrement))
        return false;
      if (op == UnaryOp::kDereference && !is_address) return false;
      return parts_are();
    }
    case NodeKind::kIndex:
      if (!is_address && !as<IndexExpr>(object)->base()->type.is_array()) return false;
      return is_changed_by_name_only(object->type) && parts_are();
    case NodeKind::kMember:
      if (!is_address && as<MemberExpr>(object)->arrow) return false;
      return is_changed_by_name_only(object->type) && parts_are();
    case NodeKind::kCast:
      return part_is(as<CastExpr>(object)->operand());
    default:
      return false;
  }
}

}  // namespace

bool is_member_array(const Expr* array) {
  array = plain_part(array);
  while (array->type.is_array()) {
    if (array->is(NodeKind::kMember)) return true;
    const auto* index = cast_if<IndexExpr>(array);
    if (index == nullptr) return false;
    array = plain_part(index->base());
  }
  return false;
}

std::optional<ReadPlace> read_place(const Expr* lvalue) {
  lvalue = plain_part(lvalue);
  const auto size = size_of(lvalue->type);
  if (!size || size->threads || size->factor <= 0) return {};
  ReadPlace place{nullptr, false, 0, static_cast<std::uint64_t>(size->factor)};
  for (;;) {
    lvalue = plain_part(lvalue);
    if (const auto* member = cast_if<MemberExpr>(lvalue)) {
      if (!is_regular(*member)) return {};
      place.offset += member->member->bit_offset / 8;
      lvalue = plain_part(member->base());
      if (!member->arrow) continue;
    } else if (const auto* index = cast_if<IndexExpr>(lvalue);
               index != nullptr && is_member_array(index->base())) {
      const auto offset = element_offset(*index);
      if (!offset) {
        place.object = lvalue;
        break;
      }
      place.offset += *offset;
      lvalue = index->base();
      continue;
    } else if (const auto* unary = cast_if<UnaryExpr>(lvalue);
               unary != nullptr && unary->op == UnaryOp::kDereference) {
      lvalue = plain_part(unary->operand());
    } else {
      place.object = lvalue;
      break;
    }
    // A pointer.
    if (const auto* address = cast_if<UnaryExpr>(lvalue);
        address != nullptr && address->op == UnaryOp::kAddress) {
      lvalue = address->operand();
      continue;
    }
    place.object = lvalue;
    place.pointed = true;
    break;
  }
  return place;
}

bool is_fixed(const ReadPlace& place, std::unordered_set<const Symbol*>& names) {
  // The object itself is only designated.
  if (place.pointed && place.object->is_shared_access()) return false;
  return only_names(place.object, names);
}

bool same_expression(const Expr* a, const Expr* b, const TokenStream& stream) {
  a = plain_part(a);
  b = plain_part(b);
  if (a->kind != b->kind || !(a->type == b->type)) return false;
  switch (a->kind) {
    case NodeKind::kNumber:
    case NodeKind::kCharacter:
      return stream.text(a->tokens.begin) == stream.text(b->tokens.begin);
    case NodeKind::kName:
      return as<NameExpr>(a)->symbol == as<NameExpr>(b)->symbol;
    case NodeKind::kUnary:
      if (as<UnaryExpr>(a)->op != as<UnaryExpr>(b)->op) return false;
      break;
    case NodeKind::kBinary:
      if (as<BinaryExpr>(a)->op != as<BinaryExpr>(b)->op) return false;
      break;
    case NodeKind::kMember:
      if (as<MemberExpr>(a)->name != as<MemberExpr>(b)->name ||
          as<MemberExpr>(a)->arrow != as<MemberExpr>(b)->arrow)
        return false;
      break;
    case NodeKind::kCast:
      return same_expression(as<CastExpr>(a)->operand(), as<CastExpr>(b)->operand(), stream);
    default:
      break;
  }
  if (a->child_count != b->child_count) return false;
  for (std::size_t i = 0; i < a->child_count; i++) {
    if (a->child(i) == nullptr || b->child(i) == nullptr) return false;
    if (!same_expression(a->expr(i), b->expr(i), stream)) return false;
  }
  return true;
}

const Expr* divided_element(const Expr* lvalue) {
  for (;;) {
    lvalue = plain_part(lvalue);
    if (const auto* member = cast_if<MemberExpr>(lvalue)) {
      if (member->arrow) return nullptr;
      lvalue = member->base();
      continue;
    }
    const auto* index = cast_if<IndexExpr>(lvalue);
    if (index == nullptr) return nullptr;
    if (is_member_array(index->base())) {
      lvalue = index->base();
      continue;
    }
    if (index->type.is_array() || index->type.ultimate_element().block == 0) return nullptr;
    return index;
  }
}

bool may_overlap(const ReadPlace& place, const Expr* lvalue, const TokenStream& stream) {
  if (const auto other = read_place(lvalue);
      other && other->pointed == place.pointed && same_expression(other->object, place.object, stream))
    return place.offset < other->offset + other->size && other->offset < place.offset + place.size;
  return !are_apart(place, lvalue);
}

bool are_apart(const ReadPlace& place, const Expr* lvalue) {
  const Symbol *object =
                   place.pointed && !place.object->type.is_array() ? nullptr : declared_object(place.object),
               *other = declared_object(lvalue);
  return object != nullptr && other != nullptr && object != other;
}

bool is_read_type(QualType type) {
  if (!type.is_scalar() || type.has(kVolatile) || type.has(kAtomic) || type.is(TypeKind::kComplex))
    return false;
  const auto size = size_of(type);
  if (!size || size->threads) return false;
  return type.is_pointer() || size->factor == 1 || size->factor == 2 || size->factor == 4 ||
         size->factor == 8;
}

bool is_exposed(const Symbol& symbol) {
  return symbol.address_taken || symbol.static_storage || !symbol.type.is_scalar();
}

const Symbol* declared_object(const Expr* expr) {
  for (;;) {
    expr = plain_part(expr);
    if (const auto* name = cast_if<NameExpr>(expr))
      return name->symbol != nullptr && name->symbol->is_shared_object() ? name->symbol : nullptr;
    if (const auto* member = cast_if<MemberExpr>(expr)) {
      if (member->arrow && !member->base()->type.is_array()) return nullptr;
      expr = member->base();
    } else if (const auto* index = cast_if<IndexExpr>(expr); index != nullptr) {
      if (!index->base()->type.is_array()) return nullptr;
      expr = index->base();
    } else if (const auto* unary = cast_if<UnaryExpr>(expr);
               unary != nullptr && unary->op == UnaryOp::kDereference && unary->operand()->type.is_array()) {
      expr = unary->operand();
    } else {
      return nullptr;
    }
  }
}

}  // namespace upc2c

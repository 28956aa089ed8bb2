// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/type/types.hpp"

#include <algorithm>

#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

void mix(std::size_t& hash, std::size_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
}

void mix(std::size_t& hash, const QualType& type) {
  mix(hash, reinterpret_cast<std::size_t>(type.type));
  mix(hash, (std::size_t{type.quals} << 32) + type.block);
}

std::size_t hash_of(const Type& type) {
  std::size_t hash = static_cast<std::size_t>(type.kind);
  mix(hash, type.inner);
  mix(hash, static_cast<std::size_t>(type.bound) * 4 + (type.extent.threads ? 1 : 0));
  mix(hash, static_cast<std::size_t>(type.extent.factor));
  mix(hash, (type.variadic ? 2 : 0) + (type.prototyped ? 1 : 0));
  for (const QualType& p : type.parameters) mix(hash, p);
  return hash;
}

bool same(const Type& a, const Type& b) {
  return a.kind == b.kind && a.inner == b.inner && a.bound == b.bound && a.extent == b.extent &&
         a.variadic == b.variadic && a.prototyped == b.prototyped && a.parameters == b.parameters;
}

}  // namespace

Types::Types(const Target& target) : target_(target) {
  for (int k = 0; k <= static_cast<int>(TypeKind::kDecimal128); k++)
    basic_.emplace_back().kind = static_cast<TypeKind>(k);
  interned_.reserve(1 << 12);
  va_list_ = declare_va_list();
}

QualType Types::declare_va_list() {
  const QualType tag = new_record("__va_list_tag", false);
  const QualType uint = basic(TypeKind::kUInt), address = pointer_to(void_type());
  for (const QualType& type : {uint, uint, address, address}) {
    Field field;
    field.type = type;
    tag->record->fields.push_back(field);
  }
  lay_out(*tag->record, *this);
  return array_of(tag, Bound::kExtent, {1, false});
}

QualType Types::intern(Type&& type) {
  const std::size_t hash = hash_of(type);
  const auto [first, last] = interned_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (same(*it->second, type)) return {it->second, 0, 1};
  if (type.inner) type.depth = type.inner->depth + 1;
  for (const QualType& parameter : type.parameters) type.depth = std::max(type.depth, parameter->depth + 1);
  all_.push_back(std::move(type));
  interned_.emplace(hash, &all_.back());
  return {&all_.back(), 0, 1};
}

QualType Types::pointer_to(QualType pointee) {
  Type type;
  type.kind = TypeKind::kPointer;
  type.inner = pointee;
  type.extent = {pointee.is_shared() ? target_.pointer_to_shared_size : 8, false};
  return intern(std::move(type));
}

QualType Types::array_of(QualType element, Bound bound, Extent extent) {
  Type type;
  type.kind = TypeKind::kArray;
  type.inner = element;
  type.bound = bound;
  type.extent = extent;
  return intern(std::move(type));
}

QualType Types::complex_of(QualType element) {
  Type type;
  type.kind = TypeKind::kComplex;
  type.inner = element.unqualified();
  return intern(std::move(type));
}

QualType Types::vector_of(QualType element, std::int64_t count) {
  Type type;
  type.kind = TypeKind::kVector;
  type.inner = element.unqualified();
  type.extent = {count, false};
  return intern(std::move(type));
}

QualType Types::function(QualType result, std::span<const QualType> parameters, bool variadic,
                         bool prototyped) {
  Type type;
  type.kind = TypeKind::kFunction;
  type.inner = result;
  type.parameters.assign(parameters.begin(), parameters.end());
  type.variadic = variadic;
  type.prototyped = prototyped;
  return intern(std::move(type));
}

QualType Types::new_record(std::string_view tag, bool is_union) {
  Record& record = records_.emplace_back();
  record.tag = tag;
  record.is_union = is_union;
  Type& type = all_.emplace_back();
  type.kind = TypeKind::kRecord;
  type.record = &record;
  return {&type, 0, 1};
}

QualType Types::new_enumeration(std::string_view tag) {
  Enumeration& enumeration = enumerations_.emplace_back();
  enumeration.tag = tag;
  Type& type = all_.emplace_back();
  type.kind = TypeKind::kEnum;
  type.enumeration = &enumeration;
  return {&type, 0, 1};
}

QualType Types::rebuild_element(QualType array, QualType element) {
  if (!array.is_array()) return element;
  return array_of(rebuild_element(array->inner, element), array->bound, array->extent);
}

QualType Types::qualify(QualType type, unsigned quals, std::uint32_t block) {
  if (quals == 0) return type;
  QualType element = type.ultimate_element();
  element.quals = static_cast<std::uint16_t>(element.quals | quals);
  if ((quals & kExplicitLayout) != 0) element.block = block;
  return rebuild_element(type, element);
}

QualType Types::unqualify(QualType type, unsigned quals) {
  QualType element = type.ultimate_element();
  if ((quals & kShared) != 0) {
    quals |= kExplicitLayout;
    element.block = 1;
  }
  element.quals = static_cast<std::uint16_t>(element.quals & ~quals);
  return rebuild_element(type, element);
}

QualType Types::with_block(QualType type, std::uint32_t block) {
  QualType element = type.ultimate_element();
  element.block = block;
  element.quals |= kExplicitLayout;
  return rebuild_element(type, element);
}

QualType Types::decay(QualType type) {
  if (type.is_array()) return pointer_to(type->inner);
  if (type.is_function()) return pointer_to(type);
  return type;
}

PtsKind pts_kind(QualType pointee) {
  const QualType element = pointee.ultimate_element();
  if (element.is_void()) return PtsKind::kGeneric;
  if (element.block == 0) return PtsKind::kIndefinite;
  return element.block == 1 ? PtsKind::kCyclic : PtsKind::kBlocked;
}

bool mentions_shared(QualType type) {
  for (;;) {
    if (type.has(kShared)) return true;
    switch (type.kind()) {
      case TypeKind::kFunction:
        for (const QualType& p : type->parameters)
          if (mentions_shared(p)) return true;
        [[fallthrough]];
      case TypeKind::kPointer:
      case TypeKind::kArray:
        type = type->inner;
        break;
      case TypeKind::kRecord:
        return type->record->has_pointer_to_shared;
      default:
        return false;
    }
  }
}

}  // namespace upc2c

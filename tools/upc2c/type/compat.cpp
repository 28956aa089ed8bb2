// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/type/compat.hpp"

#include <algorithm>

#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

constexpr unsigned kCounted = kConst | kVolatile | kRestrict | kAtomic | kShared | kStrict | kRelaxed;

bool compatible_parameters(const Type& a, const Type& b) {
  if (!a.prototyped || !b.prototyped) return true;
  if (a.variadic != b.variadic || a.parameters.size() != b.parameters.size()) return false;
  for (std::size_t i = 0; i < a.parameters.size(); i++)
    if (!compatible(a.parameters[i].unqualified(), b.parameters[i].unqualified(), true)) return false;
  return true;
}

// Enumerations are compatible with their underlying integer.
TypeKind integer_kind(QualType type) {
  return type.is(TypeKind::kEnum) ? type->enumeration->underlying : type.kind();
}

}  // namespace

bool compatible(QualType a, QualType b, bool ignore_quals) {
  if (a.is_unknown() || b.is_unknown()) return true;
  if (a.is_shared() != b.is_shared()) return false;
  if (!a.is_array() && a.has(kShared) && !a.is_void() && !b.is_void() && a.block != b.block) return false;
  if (!ignore_quals && !a.is_array() && ((a.quals ^ b.quals) & kCounted) != 0) return false;
  if (a.type == b.type) return true;
  if (a.is_integer() && b.is_integer() && (a.is(TypeKind::kEnum) != b.is(TypeKind::kEnum)))
    return integer_kind(a) == integer_kind(b);
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case TypeKind::kPointer:
      return compatible(a->inner, b->inner);
    case TypeKind::kArray:
      if (a->bound == Bound::kExtent && b->bound == Bound::kExtent && a->extent != b->extent) return false;
      return compatible(a->inner, b->inner, ignore_quals);
    case TypeKind::kFunction:
      return compatible(a->inner, b->inner, true) && compatible_parameters(*a.type, *b.type);
    case TypeKind::kComplex:
    case TypeKind::kVector:
      return a->inner == b->inner && a->extent == b->extent;
    default:
      return false;  // records, enumerations and basic types are equal or different
  }
}

QualType composite(Types& types, QualType a, QualType b) {
  if (a.type == b.type || b.is_unknown()) return a;
  if (a.is_unknown()) return b;
  if (a.kind() != b.kind()) return a;
  const auto with_quals = [&](QualType made) {
    made.quals = a.quals;
    made.block = a.block;
    return made;
  };
  switch (a.kind()) {
    case TypeKind::kPointer:
      return with_quals(types.pointer_to(composite(types, a->inner, b->inner)));
    case TypeKind::kArray: {
      const Type& known = a->bound == Bound::kExtent ? *a.type : *b.type;
      return types.array_of(composite(types, a->inner, b->inner), known.bound, known.extent);
    }
    case TypeKind::kFunction: {
      const Type& known = a->prototyped ? *a.type : *b.type;
      std::vector<QualType> parameters = known.parameters;
      if (a->prototyped && b->prototyped)
        for (std::size_t i = 0; i < parameters.size() && i < b->parameters.size(); i++)
          parameters[i] = composite(types, parameters[i], b->parameters[i]);
      return types.function(composite(types, a->inner, b->inner), parameters, known.variadic,
                            known.prototyped);
    }
    default:
      return a;
  }
}

bool is_unsigned(QualType type, const Target& target) {
  switch (integer_kind(type)) {
    case TypeKind::kBool:
    case TypeKind::kUChar:
    case TypeKind::kUShort:
    case TypeKind::kUInt:
    case TypeKind::kULong:
    case TypeKind::kULongLong:
    case TypeKind::kUInt128:
      return true;
    case TypeKind::kChar:
      return !target.char_is_signed;
    default:
      return false;
  }
}

unsigned width_of(QualType integer) {
  if (integer.is(TypeKind::kBool)) return 1;
  const std::optional<Extent> size = size_of(integer);
  return size ? static_cast<unsigned>(size->factor) * 8 : 32;
}

QualType promote(Types& types, QualType type, int bit_width) {
  if (!type.is_integer()) return type.unqualified();
  const TypeKind kind = integer_kind(type);
  if (kind >= TypeKind::kInt && bit_width < 0) return types.basic(kind);
  const unsigned width = bit_width < 0 ? width_of(types.basic(kind)) : static_cast<unsigned>(bit_width);
  if (width < 32 || (width == 32 && !is_unsigned(type, types.target()))) return types.int_type();
  return width == 32 ? types.basic(TypeKind::kUInt) : types.basic(kind);
}

QualType usual_arithmetic(Types& types, QualType a, QualType b) {
  if (a.is(TypeKind::kVector)) return a.unqualified();
  if (b.is(TypeKind::kVector)) return b.unqualified();
  if (!a.is_arithmetic() || !b.is_arithmetic()) return types.unknown();
  const bool complex = a.is(TypeKind::kComplex) || b.is(TypeKind::kComplex);
  if (a.is(TypeKind::kComplex)) a = a->inner;
  if (b.is(TypeKind::kComplex)) b = b->inner;
  QualType result;
  if (a.is_floating() || b.is_floating()) {
    result = !b.is_floating() || (a.is_floating() && a.kind() >= b.kind()) ? a : b;
  } else {
    a = promote(types, a);
    b = promote(types, b);
    const QualType high = a.kind() >= b.kind() ? a : b, low = a.kind() >= b.kind() ? b : a;
    // An unsigned type of lower rank whose values the higher signed type cannot hold makes it unsigned: long
    // long and unsigned long.
    const bool turns = !is_unsigned(high, types.target()) && is_unsigned(low, types.target()) &&
                       width_of(low) == width_of(high);
    result = turns ? types.basic(static_cast<TypeKind>(static_cast<int>(high.kind()) + 1)) : high;
  }
  result = result.unqualified();
  return complex ? types.complex_of(result) : result;
}

namespace {

// Whether there are pointers-to-shared behind private pointers, arrays and functions.
bool leads_to_shared(QualType type) {
  while (type.is_pointer() || type.is_array() || type.is_function()) {
    if (type.is_function() && std::any_of(type->parameters.begin(), type->parameters.end(), leads_to_shared))
      return true;
    type = type->inner;
    if (type.is_shared()) return true;
  }
  return false;
}

// The C compiler sees pointers-to-shared as integers or structures, so it says nothing when private pointers
// to different ones are mixed.
Conversion private_conversion(QualType from, QualType to) {
  if (!from.is_pointer() || !to.is_pointer() || from.type == to.type) return Conversion::kNone;
  const QualType a = from->inner, b = to->inner;
  // A function that takes or returns a pointer-to-shared is called in its own way.
  if (a.is_void() || b.is_void() || (!leads_to_shared(a) && !leads_to_shared(b))) return Conversion::kNone;
  if (!compatible(a, b, true)) return Conversion::kDeepLayout;
  const unsigned lost = a.quals & ~b.quals & static_cast<unsigned>(kConst | kVolatile);
  return lost != 0 ? Conversion::kDeepDiscards : Conversion::kNone;
}

}  // namespace

Conversion conversion(QualType from, QualType to, bool from_null_constant) {
  const bool from_pts = from.is_pointer_to_shared(), to_pts = to.is_pointer_to_shared();
  if (from.is_unknown() || to.is_unknown()) return Conversion::kNone;
  if (!from_pts && !to_pts) return private_conversion(from, to);
  if (from_pts && to_pts) {
    const QualType a = from->inner, b = to->inner;
    const unsigned lost =
        a.ultimate_element().quals & ~b.ultimate_element().quals & (kConst | kVolatile | kStrict | kRelaxed);
    if (!a.is_void() && !b.is_void()) {
      QualType same = b;
      same.quals = static_cast<std::uint16_t>((b.quals & ~kCounted) | (a.quals & kCounted));
      const bool arrays = a.is_array() && b.is_array() && compatible(a, b, true);
      if (!arrays && !compatible(a, same)) return Conversion::kLayout;
    }
    if ((lost & (kConst | kVolatile)) != 0) return Conversion::kDiscards;
    return lost != 0 ? Conversion::kMode : Conversion::kPts;
  }
  if (to_pts) {
    if (from_null_constant) return Conversion::kNull;
    if (from.is_pointer() || from.is_array() || from.is_function()) return Conversion::kToShared;
    return from.is_integer() ? Conversion::kIntToPts : Conversion::kInvalid;
  }
  if (to.is(TypeKind::kBool)) return Conversion::kPtsToBool;
  if (to.is_pointer()) return Conversion::kToPrivate;
  return to.is_integer() ? Conversion::kPtsToInt : Conversion::kInvalid;
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Types of C and UPC. Types are interned (types.hpp): equal types are one object, except that structures,
// unions and enumerations are one object a declaration. Qualifiers and the layout of shared objects stand
// beside the type.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "tools/upc2c/text/names.hpp"
#include "tools/upc2c/type/extent.hpp"

namespace upc2c {

enum class TypeKind : std::uint8_t {
  kUnknown,  // what the checker does not know: converts to anything, and the C compiler judges
  kVoid,
  // Integers, in the order of their ranks; an unsigned type follows its signed one.
  kBool,
  kChar,
  kSChar,
  kUChar,
  kShort,
  kUShort,
  kInt,
  kUInt,
  kLong,
  kULong,
  kLongLong,
  kULongLong,
  kInt128,
  kUInt128,
  // Binary floating types in the order of conversion, then decimal ones.
  kFloat16,
  kBFloat16,
  kFloat,
  kFloat32,
  kDouble,
  kFloat64,
  kFloat32x,
  kLongDouble,
  kFloat64x,
  kFloat128,
  kDecimal32,
  kDecimal64,
  kDecimal128,
  // Derived and declared types.
  kComplex,
  kVector,
  kEnum,
  kRecord,
  kPointer,
  kArray,
  kFunction,
};

enum Qual : std::uint16_t {
  kConst = 1,
  kVolatile = 2,
  kRestrict = 4,
  kAtomic = 8,
  kShared = 16,
  kStrict = 32,
  kRelaxed = 64,
  kExplicitLayout = 128,  // the layout is written, and not the one that shared without layout means
  kLockType = 256,        // shared void by the name upc_lock_t, which messages say
};

// The block size of shared [*] until the declarator is complete.
constexpr std::uint32_t kStarBlock = 0xffffffffu;

struct Type;

// A type with qualifiers. Those of an array are those of its ultimate element type: an array itself has none.
struct QualType {
  const Type* type = nullptr;
  std::uint16_t quals = 0;
  std::uint32_t block = 1;  // block size if shared, 0: indefinite; else 1

  bool operator==(const QualType&) const = default;
  explicit operator bool() const { return type != nullptr; }
  const Type* operator->() const { return type; }
  bool has(Qual q) const { return (quals & q) != 0; }
  QualType with(unsigned added) const { return {type, static_cast<std::uint16_t>(quals | added), block}; }
  QualType unqualified() const { return {type, 0, 1}; }

  TypeKind kind() const;
  bool is(TypeKind k) const { return kind() == k; }
  bool is_unknown() const { return is(TypeKind::kUnknown); }
  bool is_void() const { return is(TypeKind::kVoid); }
  bool is_integer() const { return is_integer_kind() || is(TypeKind::kEnum); }
  bool is_floating() const { return kind() >= TypeKind::kFloat16 && kind() <= TypeKind::kDecimal128; }
  bool is_arithmetic() const { return is_integer() || is_floating() || is(TypeKind::kComplex); }
  bool is_scalar() const { return is_arithmetic() || is_pointer(); }
  bool is_pointer() const { return is(TypeKind::kPointer); }
  bool is_array() const { return is(TypeKind::kArray); }
  bool is_function() const { return is(TypeKind::kFunction); }
  bool is_record() const { return is(TypeKind::kRecord); }
  // The object itself is shared; of an array: its elements are.
  bool is_shared() const;
  bool is_pointer_to_shared() const;
  bool is_private_pointer() const { return is_pointer() && !is_pointer_to_shared(); }
  // A pointer to shared void.
  bool is_generic_pointer_to_shared() const;
  // The element type of an array of arrays of ...; else the type itself.
  QualType ultimate_element() const;

 private:
  bool is_integer_kind() const { return kind() >= TypeKind::kBool && kind() <= TypeKind::kUInt128; }
};

struct Field {
  NameId name = 0;  // 0: unnamed bit-field, or an anonymous structure or union
  std::string_view text;
  QualType type;
  std::int32_t bit_width = -1;  // -1: no bit-field
  std::uint32_t min_align = 0;  // of attribute aligned or _Alignas; 0: none
  std::uint32_t type_align =
      0;                // of a typedef with attribute aligned, which may be less than its type's; 0: none
  bool packed = false;  // attribute packed of the field itself
  std::uint64_t bit_offset = 0;  // from the beginning of the record, after layout

  bool is_bit_field() const { return bit_width >= 0; }
  std::uint64_t offset() const { return bit_offset / 8; }
};

// A structure or union; shared by all types that name it.
struct Record {
  std::string_view tag;           // "" if it has none
  std::string_view typedef_name;  // of the first typedef of an untagged one
  bool is_union = false;
  bool of_block = false;   // its tag is of a function, a block or the parameters of a function
  bool of_system = false;  // a system header declares it
  bool complete = false;
  bool unknown_layout =
      false;              // a field has a size that is not known: sizes and offsets are the C compiler's
  bool flexible = false;  // the last member is an array without bound
  bool packed = false, transparent = false;
  bool reversed = false;        // attribute scalar_storage_order("big-endian"): bytes of members are swapped
  std::uint32_t min_align = 0;  // of attribute aligned
  std::uint32_t pack = 0;       // of #pragma pack; 0: none
  std::vector<Field> fields;
  std::uint64_t size = 0;
  std::uint32_t align = 1;
  bool has_pointer_to_shared = false;  // in a member at any depth
  bool has_const_member = false;       // at any depth
};

struct Enumeration {
  std::string_view tag, typedef_name;
  bool of_block = false;  // as of a Record
  bool complete = false;
  TypeKind underlying = TypeKind::kUInt;
};

enum class Bound : std::uint8_t {
  kIncomplete,  // []
  kExtent,      // a constant, or a constant times THREADS
  kVariable,    // of a variable length array
  kStar,        // [*] in a prototype
};

// One struct for all kinds: members that a kind does not have are empty.
struct Type {
  TypeKind kind = TypeKind::kUnknown;
  QualType inner;  // of pointer: pointee; array, vector, complex: element; function: result
  Bound bound = Bound::kIncomplete;
  Extent
      extent;  // of an array with Bound::kExtent; of a vector the number of elements; of a pointer its size
  std::vector<QualType> parameters;
  bool variadic = false;
  bool prototyped = false;  // false: f() and K&R definitions
  std::uint32_t depth = 0;  // of derived types in each other
  Record* record = nullptr;
  Enumeration* enumeration = nullptr;
};

inline TypeKind QualType::kind() const { return type == nullptr ? TypeKind::kUnknown : type->kind; }
inline QualType QualType::ultimate_element() const {
  QualType t = *this;
  while (t.is_array()) t = t->inner;
  return t;
}
inline bool QualType::is_shared() const { return ultimate_element().has(kShared); }
inline bool QualType::is_pointer_to_shared() const { return is_pointer() && type->inner.is_shared(); }
inline bool QualType::is_generic_pointer_to_shared() const {
  return is_pointer_to_shared() && type->inner.is_void();
}

// Kinds of pointers-to-shared, by what the runtime's functions for them are.
enum class PtsKind : std::uint8_t {
  kGeneric,     // shared void *: upcr_shared_ptr_t, with phase
  kBlocked,     // block size of 2 and more: upcr_shared_ptr_t
  kCyclic,      // block size 1: upcr_pshared_ptr_t, without phase
  kIndefinite,  // shared []: upcr_pshared_ptr_t
};
// Of a pointer to this type, which is shared.
PtsKind pts_kind(QualType pointee);
constexpr bool is_phaseless(PtsKind k) { return k == PtsKind::kCyclic || k == PtsKind::kIndefinite; }

// Whether a value of this type holds a pointer-to-shared at any depth, so that its spelling in C differs.
// Pointees count.
bool mentions_shared(QualType type);

}  // namespace upc2c

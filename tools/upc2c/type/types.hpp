// SPDX-License-Identifier: BSD-3-Clause
// The factory of types: one object for each type that occurs in a translation unit.
#pragma once
#include <deque>
#include <span>
#include <unordered_map>

#include "tools/upc2c/type/type.hpp"

namespace upc2c {

// Properties of the C compiler's target. LP64 with the sizes of the System V ABI for x86-64.
struct Target {
  bool char_is_signed = true;
  std::uint32_t pointer_to_shared_size = 8;  // 16 in the struct layout
};

class Types {
 public:
  explicit Types(const Target& target = {});
  Types(const Types&) = delete;
  Types& operator=(const Types&) = delete;

  const Target& target() const { return target_; }
  // Types without an inner type: kUnknown to kDecimal128.
  QualType basic(TypeKind kind) const { return {&basic_[static_cast<std::size_t>(kind)], 0, 1}; }
  QualType unknown() const { return basic(TypeKind::kUnknown); }
  QualType void_type() const { return basic(TypeKind::kVoid); }
  QualType int_type() const { return basic(TypeKind::kInt); }
  QualType char_type() const { return basic(TypeKind::kChar); }
  QualType size_type() const { return basic(TypeKind::kULong); }
  QualType ptrdiff_type() const { return basic(TypeKind::kLong); }

  QualType pointer_to(QualType pointee);
  QualType array_of(QualType element, Bound bound, Extent extent = {});
  QualType complex_of(QualType element);
  QualType vector_of(QualType element, std::int64_t count);
  QualType function(QualType result, std::span<const QualType> parameters, bool variadic, bool prototyped);
  // A new structure or union, incomplete.
  QualType new_record(std::string_view tag, bool is_union);
  QualType new_enumeration(std::string_view tag);
  // __builtin_va_list: an array of one structure.
  QualType va_list_type() const { return va_list_; }

  // `type` with more qualifiers; those of an array go to its ultimate element type. `block` counts where
  // `quals` has kExplicitLayout; shared without one is block size 1.
  QualType qualify(QualType type, unsigned quals, std::uint32_t block = 1);
  // The same without these qualifiers.
  QualType unqualify(QualType type, unsigned quals);
  // An array or function as a pointer (to the first element); else the type itself.
  QualType decay(QualType type);
  // The element type's block size set, at any depth of arrays; `type` is shared.
  QualType with_block(QualType type, std::uint32_t block);

 private:
  QualType intern(Type&& type);
  QualType rebuild_element(QualType array, QualType element);
  QualType declare_va_list();

  Target target_;
  std::vector<Type> basic_;
  std::deque<Type> all_;
  std::deque<Record> records_;
  std::deque<Enumeration> enumerations_;
  std::unordered_multimap<std::size_t, const Type*> interned_;
  QualType va_list_;
};

}  // namespace upc2c

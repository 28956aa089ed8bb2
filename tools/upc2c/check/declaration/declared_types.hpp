// SPDX-License-Identifier: BSD-3-Clause
// The types that specifiers and declarators say.
#pragma once
#include <span>
#include <string_view>

#include "tools/upc2c/ast/decl.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

// The kind of thing that is declared: the rules of layouts differ.
enum class Declared : std::uint8_t { kObject, kTypedef, kParameter, kField, kTypeName };

class DeclaredTypes {
 public:
  explicit DeclaredTypes(Check& check) : c_(check) {}

  // The type of specifiers with its qualifiers, also stored in them. Structures and enumerations in them are
  // declared. `alone`: no declarator follows, so that `struct s;` declares a new structure in this scope.
  QualType specifiers(Specifiers& specifiers, bool alone = false);
  // The type that the declarator makes of a base type, also stored in it and its chunks. Bounds and
  // parameters are checked. A block size [*] is resolved for objects, and refused elsewhere.
  QualType declarator(Declarator& declarator, QualType base, Declared what);
  QualType type_name(TypeName& name);
  // Bounds of a private array that depend on THREADS are refused where C wants constants.
  void require_constant_bounds(const Declarator& declarator, QualType type, std::string_view what);
  // The largest alignment that attributes and _Alignas ask for; 0: none.
  std::uint32_t min_align(std::span<Attribute* const> attributes);
  std::uint32_t min_align(const Specifiers& specifiers);
  // The alignment that the typedef name in the specifiers was given, which can also be less than its type's;
  // 0: none.
  std::uint32_t typedef_align(const Specifiers& specifiers) const;

 private:
  QualType base_type(Specifiers& specifiers, bool alone);
  QualType words_type(const TypeWords& words);
  QualType with_attributes(QualType type, std::span<Attribute* const> attributes);
  QualType pointer(DeclaratorChunk& chunk, QualType pointee);
  static bool threads_once(const Declarator& declarator, const DeclaratorChunk& chunk, Declared what);
  QualType array(DeclaratorChunk& chunk, QualType element, bool threads_once);
  QualType function(DeclaratorChunk& chunk, QualType result);
  QualType parameter(Parameter& parameter);

  // Types are walked recursively.
  static constexpr std::uint32_t kMaxTypeDepth = 500;

  Check& c_;
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Structures, unions and enumerations: their members, layouts and constants.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>

#include "tools/upc2c/ast/decl.hpp"
#include "tools/upc2c/type/layout.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct Check;

class RecordTypes {
 public:
  explicit RecordTypes(Check& check) : c_(check) {}

  // `alone`: `struct s;`, which declares a structure of this scope.
  QualType record(RecordSpec& spec, bool alone);
  QualType enumeration(EnumSpec& spec, bool alone);
  // A copy that lives as long as the checker.
  const Member* keep(const Member& member) { return &members_.emplace_back(member); }

 private:
  QualType tagged(NameId tag, bool here_only, TypeKind kind, bool is_union, TokenIndex at);
  void fields(RecordSpec& spec, Record& record);
  void field(FieldDeclaration& declaration, Record& record);
  std::optional<std::int32_t> bit_width(const Declarator& field, QualType type);
  void enumerators(EnumSpec& spec, Enumeration& enumeration);

  Check& c_;
  std::deque<Member> members_;
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Specifiers and declarators with the typedefs of pointers-to-shared in them: `shared [4] int *(*f)(int)` is
// `upc_p4_int (*f)(int)`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Lower;

class Declarators {
 public:
  explicit Declarators(Lower& lower) : lower_(lower) {}

  // A declarator with its base type, in C.
  struct Text {
    std::string base;        // "upc_p4_int const"
    std::string declarator;  // "(*f)(int)"
  };

  // Whether the type of the declarator is a pointer-to-shared or made of one that the declarator says, so
  // that its text differs from the tokens.
  bool differs(const Specifiers& specifiers, const Declarator& declarator) const;
  // Of an unshared type. `name`: if not empty, written instead of the name.
  Text text(const Specifiers& specifiers, const Declarator& declarator, std::string_view name = {});
  // The whole of a declaration with one declarator: of a parameter, a type-name.
  std::string single(const Specifiers& specifiers, const Declarator& declarator, std::string_view name = {});

  // The specifiers that are no type: storage class, inline, attributes, alignment. `proxy`: without those
  // that describe the object behind the variable.
  std::string storage(const Specifiers& specifiers, bool proxy);
  // The type in specifiers with the qualifiers that are C's. A structure that was written by define() is
  // named only.
  std::string base_type(const Specifiers& specifiers);
  // The attributes and asm labels behind a declarator.
  std::string trailing(const Declarator& declarator, bool proxy);

  // The definition of a structure, union or enumeration in the specifiers as a declaration of its own; "" if
  // there is none.
  std::string define(const Specifiers& specifiers);
  // structures, unions, enumerations, typeof: with a tag where the program gives none and one is needed.
  std::string spec(const Node* node);

 private:
  enum class Piece : std::uint8_t { kStorage, kAttribute, kAlignment, kQualifier, kType, kUpc };
  struct SpecifierPiece {
    Piece piece;
    TokenRange tokens;
    const Node* node = nullptr;
  };
  std::vector<SpecifierPiece> pieces(const Specifiers& specifiers) const;
  // The number of chunks, from the base type on, that the typedef of a pointer-to-shared replaces.
  std::size_t replaced(const Specifiers& specifiers, const Declarator& declarator) const;
  std::string tokens(const Node& node, TokenRange range, const std::vector<TokenRange>& without,
                     TokenIndex name_token, std::string_view name);
  bool describes_type(const Node& owner, TokenRange attribute, bool proxy) const;

  Lower& lower_;
  std::vector<const Node*> defined_;
};

}  // namespace upc2c

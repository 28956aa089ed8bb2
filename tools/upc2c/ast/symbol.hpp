// SPDX-License-Identifier: BSD-3-Clause
// The meanings of names: variables, functions, typedefs, enumerators. One object for all declarations of one
// entity in a scope.
#pragma once
#include <vector>

#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

enum class SymbolKind : std::uint8_t { kVariable, kParameter, kFunction, kTypedef, kEnumerator };
enum class Linkage : std::uint8_t { kNone, kInternal, kExternal };

struct Symbol {
  SymbolKind kind = SymbolKind::kVariable;
  Linkage linkage = Linkage::kNone;
  bool file_scope = false;
  bool static_storage = false;
  bool thread_local_storage = false;
  bool defined =
      false;  // has a body, an initialiser, or is an object that a declaration defines (also tentatively)
  bool tentative = false;  // defined at file scope without initialiser
  bool address_taken = false, used = false, assigned = false;
  Origin origin = Origin::kUser;
  NameId name = 0;
  std::string_view text;
  TokenIndex token = 0;  // of the declaration that says most: the definition, else the first
  QualType type;
  // The types before of a function with the attribute overloadable of clang, as those of its <tgmath.h>.
  std::vector<QualType> overloads;
  std::uint32_t min_align = 0;  // of attribute aligned of a typedef
  const Attribute* section = nullptr;
  __extension__ __int128 value = 0;  // of an enumerator
  Declarator* declarator = nullptr;  // the first one
  Node* definition = nullptr;        // kFunction or kInitDeclarator
  Function* function = nullptr;      // that it is local to

  bool is_shared_object() const { return kind == SymbolKind::kVariable && type.is_shared(); }
  // An unshared object of which each UPC thread has its own.
  bool is_thread_data() const {
    return kind == SymbolKind::kVariable && static_storage && !type.is_shared() && origin == Origin::kUser;
  }
};

}  // namespace upc2c

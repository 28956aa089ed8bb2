// SPDX-License-Identifier: BSD-3-Clause
// Shared objects and members of them, as the expressions of a block name them.
#pragma once
#include <optional>
#include <unordered_set>

#include "tools/upc2c/ast/expr.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

// A part of a shared object.
struct ReadPlace {
  // Of the object: an lvalue, or, if `pointed`, a pointer to it.
  const Expr* object = nullptr;
  bool pointed = false;
  std::uint64_t offset = 0, size = 0;  // bytes of the object
};

// The place of an object, or of a member whose offset in it is known and which is aligned as its type;
// nothing for bit-fields and members of packed structures.
std::optional<ReadPlace> read_place(const Expr* lvalue);

// Whether the evaluation of what names an object has no effects, accesses nothing shared, and reads only
// private objects by their names. Adds these to `names`.
bool is_fixed(const ReadPlace& place, std::unordered_set<const Symbol*>& names);
// Whether two such expressions are the same, so that they name one object as long as nothing that they read
// is changed.
bool same_expression(const Expr* a, const Expr* b, const TokenStream& stream);

// Whether an lvalue may be of the same bytes as a place, in straight code in which nothing changes what names
// them.
bool may_overlap(const ReadPlace& place, const Expr* lvalue, const TokenStream& stream);
// Whether they are parts of different declared objects.
bool are_apart(const ReadPlace& place, const Expr* lvalue);

// The element of a shared array that an lvalue is, or is in, if it takes a division to find it; else null.
const Expr* divided_element(const Expr* lvalue);

// Numbers and pointers that one access reads, also pointers-to-shared.
bool is_read_type(QualType type);
// Whether an array is a member, or an element of one.
bool is_member_array(const Expr* array);
// Whether a pointer may point to a private object. Arrays are pointers wherever they are used.
bool is_exposed(const Symbol& symbol);

// The declared shared object that an lvalue, or a pointer to a part of it, is in; null where it is not known.
const Symbol* declared_object(const Expr* expr);

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// The values of an initialiser, each with the part of the object that it is for: braces that are left out,
// designators and ranges are resolved.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

// One step from an aggregate to a part of it.
struct InitStep {
  const Field* field = nullptr;      // null: elements of an array
  std::int64_t first = 0, last = 0;  // the indices, the same but in ranges
};

struct InitLeaf {
  const Expr* value = nullptr;  // a string can be in braces
  QualType type;                // of the part: a scalar, an aggregate as a whole, an array for a string
  std::vector<InitStep> path;
};

// `type`: of the object. Values for which the object has no part are left out; those for parts of a type that
// is not known have an unknown type.
std::vector<InitLeaf> init_leaves(const Expr* initializer, QualType type, const Types& types);

// The string that initialises an array of characters, perhaps in braces and parentheses, or null.
const Expr* string_initializer(const Expr* value, QualType type);

// x where `initializer` is {x} and stands for a pointer-to-shared, else null. C has no braces there: where
// pointers-to-shared are structures, these would be the structure's.
const Expr* scalar_in_braces(const Expr* initializer);

}  // namespace upc2c

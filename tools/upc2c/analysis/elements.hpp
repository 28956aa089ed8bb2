// SPDX-License-Identifier: BSD-3-Clause
// Which element of a shared array an expression is in, whose index is linear in the number of the iteration.
#pragma once
#include <optional>
#include <string>

#include "tools/upc2c/analysis/linear.hpp"

namespace upc2c {

// The element that a shared lvalue, or the value of a pointer-to-shared, is in.
struct Element {
  QualType type;  // of the element, shared: its block size is the array's
  Linear index;   // in elements, from a place that does not vary
};
// Nothing where the place is not known to be linear. `where`: an lvalue.
std::optional<Element> element_of(const Expr* where, const LoopValues& values);
std::optional<Element> pointed_element(const Expr* pointer, const LoopValues& values);
// Whether the lvalue is of one array, whatever its index.
bool is_of_known_array(const Expr* lvalue, const LoopValues& values);
// Whether C may access the member as any object of its type.
bool is_aligned_member(const MemberExpr& member);

// The text of an expression, with single spaces.
std::string source_text(const Expr* expr, const TokenStream& stream);

}  // namespace upc2c

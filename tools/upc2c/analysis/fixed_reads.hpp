// SPDX-License-Identifier: BSD-3-Clause
// Reads of shared objects in a loop whose name does not vary: may the loop read them once?
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "tools/upc2c/analysis/facts.hpp"
#include "tools/upc2c/place/places.hpp"

namespace upc2c {

// An object that is read by the same name in every iteration that reads it.
struct FixedRead {
  ReadPlace place;
  std::vector<const Expr*> reads;  // lvalues of one type, outside of the loops in the loop
  std::string_view refused;        // why it is read each time; "": it may be read once, when it is first read
};

// `parts`: what the loop does each time, bodies and the expressions of its head. `facts`: of these, without
// the step of `variable`, the loop's. What may only be said when the loop is known is not taken into account:
// see decides().
std::vector<FixedRead> find_fixed_reads(std::span<const Node* const> parts, const BodyFacts& facts,
                                        const Symbol* variable, const TokenStream& stream);

// Whether the value may decide what the loop does: a loop whose end it decides may wait for another one.
bool decides(const FixedRead& read, std::span<const Node* const> parts);

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// The type strings of translators' tables of static shared data: what a declaration says about a variable's
// size and layout, beside the numbers that the table has for them. No runtime state; any thread.
#pragma once
#include <cstddef>
#include <optional>

namespace upcr {

// How a shared variable lies in memory, as upcr_all_alloc has it.
struct StaticLayout {
  std::size_t blocks, block_bytes;
};

// A type string begins with what its declarator is, in this order of letters: A10_ an array of 10 elements,
// A10H_ one of 10 * THREADS; R4_ shared with blocks of 4 elements, R0_ of all; the element's type is behind
// them and not looked at. Nothing when `type` is null or says no layout, or when the size of an element is
// not known (0).
std::optional<StaticLayout> layout_of_type(const char* type, std::size_t element_bytes, std::size_t threads);

}  // namespace upcr

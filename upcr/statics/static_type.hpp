// SPDX-License-Identifier: BSD-3-Clause
// The type strings in translators' tables of static shared data, which have a variable's size and layout from
// its declaration, beside the table's numbers for them. No runtime state; any thread.
#pragma once
#include <cstddef>
#include <optional>

namespace upcr {

// The layout of a shared variable, in the terms of upcr_all_alloc.
struct StaticLayout {
  std::size_t blocks, block_bytes;
};

// Parses a type string. It begins with the declarator: A10_ an array of 10 elements, A10H_ one of 10 *
// THREADS; R4_ shared with blocks of 4 elements, R0_ with one block; the element's type follows and is
// ignored. Returns nothing if `type` is null or has no layout, or if the size of an element is unknown (0).
std::optional<StaticLayout> layout_of_type(const char* type, std::size_t element_bytes, std::size_t threads);

}  // namespace upcr

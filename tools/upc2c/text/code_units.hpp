// SPDX-License-Identifier: BSD-3-Clause
// The code units of character constants and strings (C11 6.4.4.4, 6.4.5). The source is UTF-8; what runs uses
// UTF-8, UTF-16 or UTF-32, by the size of an element. Narrow strings have the bytes of the source, whatever
// they are.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace upc2c {

// The value of a hexadecimal digit; 99: it is none.
int digit_of(char c);

// Appends the units of the character or escape that `text` begins with, which is not empty, and removes it
// from `text`. `width`: bits of an element, 8, 16 or 32. An escape of digits is one unit, whatever it means;
// so is a byte that is no UTF-8.
void next_units(std::string_view& text, unsigned width, std::vector<std::uint32_t>& units);

}  // namespace upc2c

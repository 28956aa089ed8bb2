// SPDX-License-Identifier: BSD-3-Clause
// Which header declares a name that a program uses without declaring it: of UPC's libraries, and of what
// programs use most of the C library.
#pragma once
#include <string>
#include <string_view>

namespace upc2c {

// "upc_collective.h", or "" where no header is known.
std::string_view header_of(std::string_view name);
// Of UPC's headers, and Berkeley's: what they declare is no function that may be called without a
// declaration.
bool is_upc_header(std::string_view header);
// "; <stdio.h> declares it", "; did you mean 'upc_forall'?" of names that resemble one of UPC's, or "".
std::string header_hint(std::string_view name);

}  // namespace upc2c

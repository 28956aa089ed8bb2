// SPDX-License-Identifier: BSD-3-Clause
// Headers of system folders that hold UPC: those of installed UPC libraries.
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace upc2c {

// Whether a header, by its name in an include, is one that makes its includer UPC: upc.h, upc_strict.h,
// upc_relaxed.h.
bool is_language_header(std::string_view name);

// The system headers of preprocessed text that include <upc.h>, <upc_strict.h> or <upc_relaxed.h>, or have
// #pragma upc upc_code; those that include one of them; and what one of them includes in quotes from its own
// folder. Their text is the program's. Not upcr's own.
std::set<std::string, std::less<>> upc_headers(std::string_view text);

}  // namespace upc2c

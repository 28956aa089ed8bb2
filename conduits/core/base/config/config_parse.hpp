// SPDX-License-Identifier: BSD-3-Clause
// Parsing and describing values of environment variables: for conduits/core/base, and for values that are
// more than what config.hpp reads (yes, no or a file).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "conduits/core/base/config/config.hpp"

namespace upcr {

// yes/no, y/n, true/false, on/off, 1/0 in any case.
bool parse_bool(const char* text, bool* value) noexcept;
// A whole decimal number with an optional sign.
bool parse_int(const char* text, std::int64_t* value) noexcept;
// "min..max", either side may be missing ("1..").
void parse_range(const char* range, std::int64_t* min, std::int64_t* max) noexcept;
// The entry of "a|b|c" that equals `text` in any case, or an empty view.
std::string_view find_choice(const char* choices, const char* text) noexcept;

// True when `text` is a value of `var`; else *expected describes its values.
bool valid_value(const ConfigVar& var, const char* text, std::string* expected);
// The values of `var` in words: "a size", "yes or no", "auto, yes or no".
std::string describe_values(const ConfigVar& var);

// The user's value of a declared variable under its name or alias (nullptr: not set or empty).
const char* config_value(const ConfigVar& var) noexcept;

}  // namespace upcr

// SPDX-License-Identifier: BSD-3-Clause
// The names that a C file declares with the attribute visibility("default").
#pragma once
#include <set>
#include <string_view>
#include <vector>

#include "tools/upcc/scan/lexer.hpp"

namespace upcc {

// All names in such declarations, also those of types and parameters. The text of `tokens` must outlive them.
std::set<std::string_view> find_visible_names(const std::vector<Token>& tokens);

}  // namespace upcc

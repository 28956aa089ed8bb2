// SPDX-License-Identifier: BSD-3-Clause
// A translation unit: the order of what is written.
#pragma once
#include <span>
#include <string>

#include "tools/upc2c/ast/node.hpp"
#include "tools/upc2c/lower/lower.hpp"

namespace upc2c {

// C for the external declarations of a file, which are checked and have no errors.
std::string lower_unit(TokenStream& stream, Types& types, Diagnostics& diagnostics,
                       const LowerOptions& options, std::span<Node* const> declarations);

}  // namespace upc2c

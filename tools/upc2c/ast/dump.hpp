// SPDX-License-Identifier: BSD-3-Clause
// A tree as text in parentheses, for tests and for --dump-tree: (+ a (* b c)).
#pragma once
#include <string>

#include "tools/upc2c/ast/decl.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

std::string dump(const Node* node, const TokenStream& stream);

}  // namespace upc2c

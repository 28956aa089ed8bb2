// SPDX-License-Identifier: BSD-3-Clause
// The expressions that every iteration of a loop evaluates.
#pragma once
#include <unordered_set>

#include "tools/upc2c/ast/node.hpp"

namespace upc2c {

// Those of a body that are evaluated whenever it is run. None, if `continue` may leave out a part of it.
std::unordered_set<const Node*> always_evaluated(const Node* body);

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <string_view>
#include <vector>

#include "tools/upc2c/analysis/references.hpp"
#include "tools/upc2c/loop/counted.hpp"

namespace upc2c {

// A pointer-to-shared that every iteration steps. If `deferred`, a loop of private accesses leaves it out,
// and the pointer is moved behind it.
struct WalkingPointer {
  const Symbol* symbol = nullptr;
  Extent step;
  bool deferred = false;
};

// Finds them; "" or why there can be no loop of private accesses. `accesses`: those that become private.
std::string_view find_walking_pointers(const Node* body, const BodyFacts& facts, const CountedLoop& counted,
                                       const Inductions& inductions, const std::vector<RunAccess>& accesses,
                                       std::vector<WalkingPointer>& walks);

}  // namespace upc2c

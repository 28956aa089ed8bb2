// SPDX-License-Identifier: BSD-3-Clause
// Trees looked through without recursion: chains of else if may be deeper than the stack.
#pragma once
#include <vector>

#include "tools/upc2c/ast/node.hpp"

namespace upc2c {

// Calls visit(node) for a node and all below it, in the order of the text.
template <class Visit>
void for_each_node(const Node* root, Visit&& visit) {
  std::vector<const Node*> rest;
  if (root != nullptr) rest.push_back(root);
  while (!rest.empty()) {
    const Node* node = rest.back();
    rest.pop_back();
    visit(*node);
    for (std::size_t i = node->child_count; i > 0; i--)
      if (node->child(i - 1) != nullptr) rest.push_back(node->child(i - 1));
  }
}

}  // namespace upc2c

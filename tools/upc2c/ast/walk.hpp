// SPDX-License-Identifier: BSD-3-Clause
// Walks over a tree without recursion: chains of else if and of labels are longer than the stack is deep.
#pragma once
#include <span>
#include <vector>

#include "tools/upc2c/ast/node.hpp"

namespace upc2c {

// Calls enter(node) before the parts of a node are walked, and leave(node, above) behind them; `above` are
// the nodes around it, the root first.
template <class Enter, class Leave>
void walk(Node* root, const Enter& enter, const Leave& leave) {
  std::vector<Node*> path = {root};
  std::vector<std::uint32_t> next = {0};  // the part of each that is walked next
  enter(root);
  while (!path.empty()) {
    Node* node = path.back();
    if (next.back() < node->child_count) {
      Node* child = node->child(next.back()++);
      if (child == nullptr) continue;
      path.push_back(child);
      next.push_back(0);
      enter(child);
      continue;
    }
    path.pop_back();
    next.pop_back();
    leave(node, std::span<Node* const>(path));
  }
}

// The first node in the order of the text, a whole before its parts, for which found(node) holds, or null.
template <class Found>
const Node* find_below(const Node* root, const Found& found) {
  std::vector<const Node*> rest = {root};
  while (!rest.empty()) {
    const Node* node = rest.back();
    rest.pop_back();
    if (found(node)) return node;
    for (std::size_t i = node->child_count; i > 0; i--)
      if (node->child(i - 1) != nullptr) rest.push_back(node->child(i - 1));
  }
  return nullptr;
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Members of one shared object that a block reads together (block/members.hpp): a test in front of the first
// read whether the object is mapped, or else one get, and the reads from where the members are then.
#pragma once
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tools/upc2c/block/members.hpp"

namespace upc2c {

struct Lower;

class MemberReads {
 public:
  explicit MemberReads(Lower& lower) : lower_(lower) {}

  // Around the text of the items of a block, or of a statement that is its only item.
  void enter(const Node* block, std::span<Node* const> items);
  void leave(std::span<Node* const> items);
  // What stands in front of an item: declarations, or "".
  std::string fetch(const Node* item);
  // The value of a shared lvalue, or "": it is read as usual.
  std::string value(const Expr* access) const;

 private:
  bool is_private(const MemberGroup& group) const;
  std::string fetch(const MemberGroup& group);
  std::string names(const MemberGroup& group) const;

  Lower& lower_;
  std::unordered_set<const Node*> planned_;  // blocks
  std::unordered_map<const Node*, std::vector<MemberGroup>>
      groups_;                                // by the item that they are fetched before
  std::unordered_set<const Node*> reported_;  // items
  std::unordered_map<const Expr*, std::string> values_;
};

}  // namespace upc2c

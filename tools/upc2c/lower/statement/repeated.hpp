// SPDX-License-Identifier: BSD-3-Clause
// What straight code does again (block/repeats.hpp), done once: the value of a shared object is held in a
// variable, and the place of an element of an array in a pointer-to-shared.
#pragma once
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tools/upc2c/block/repeats.hpp"

namespace upc2c {

struct Lower;

class Repeated {
 public:
  explicit Repeated(Lower& lower) : lower_(lower) {}

  // What is planned for a block. Remarks what is done again nevertheless.
  void add(Repeats repeats);
  // Whether a read, or an element, is planned for a block around this one.
  bool is_planned(const Expr* part) const { return planned_.count(part) != 0; }
  // Behind the text of the items of a block.
  void leave(std::span<Node* const> items);
  // What stands in front of an item: declarations, or "".
  std::string elements(const Node* item);
  std::string values(const Node* item);
  // The value of a shared lvalue, or "".
  std::string value(const Expr* access) const;
  // A pointer to an element, or null.
  const std::string* element(const Expr* lvalue) const;

 private:
  std::unordered_map<const Node*, std::vector<RepeatedRead>> reads_;        // by item
  std::unordered_map<const Node*, std::vector<RepeatedElement>> elements_;  // the same
  std::unordered_set<const Expr*> planned_;
  std::unordered_map<const Expr*, std::string> values_, pointers_;
  Lower& lower_;
};

}  // namespace upc2c

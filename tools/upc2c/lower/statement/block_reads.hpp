// SPDX-License-Identifier: BSD-3-Clause
// Reads of a block that are done together (block/reads.hpp): in front of the first one it is tested of each
// object whether it is mapped. Those that are not are fetched by a get each, started before one wait for all.
// The reads are from where the objects are then. What the text calls is in upcr/upc2c.h.
#pragma once
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tools/upc2c/block/plan.hpp"
#include "tools/upc2c/lower/expression/addresses.hpp"

namespace upc2c {

struct Function;
struct Lower;

class BlockReads {
 public:
  explicit BlockReads(Lower& lower) : lower_(lower) {}

  // Around the text of the items of a block, or of a statement that is its only item.
  void enter(const Node* block, std::span<Node* const> items);
  void leave(std::span<Node* const> items);
  // What stands in front of an item: declarations, or "". Also of what is read and found once (repeated.hpp).
  std::string before(const Node* item);
  // The value of a shared lvalue, or "": it is read as usual.
  std::string value(const Expr* access) const;

 private:
  bool is_private(const ReadGroup& group) const;
  // Texts about an object that is fetched: what declares its buffer; the names of that, and of the pointer to
  // where the object is then; what and how much is fetched.
  struct Fetch {
    std::string declaration, bytes, name, pointer, offset, size;
  };
  std::string fetch(const Node* item);
  Fetch fetch(const ReadGroup& group, const Address& object);
  std::string started_together(const std::vector<Fetch>& fetches);
  std::string names(const ReadGroup& group) const;

  bool have_room(std::size_t bytes);

  Lower& lower_;
  const Function* function_ = nullptr;                              // whose frame has buffers_
  std::size_t buffers_ = 0;                                         // bytes
  std::unordered_set<const Node*> planned_, reported_;              // blocks, items
  std::unordered_map<const Node*, std::vector<ReadGroup>> groups_;  // by item
  std::unordered_map<const Expr*, std::string> values_;
};

}  // namespace upc2c

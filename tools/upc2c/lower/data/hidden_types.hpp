// SPDX-License-Identifier: BSD-3-Clause
// Types whose names mean something else in an inner scope: a variable, or another structure. The output names
// a type wherever an object of it is accessed, which may be there.
#pragma once
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/upc2c/ast/node.hpp"
#include "tools/upc2c/text/lexer.hpp"
#include "tools/upc2c/type/type.hpp"

namespace upc2c {

class HiddenTypes {
 public:
  // Before anything is lowered: looks through the program's declarations. Enumerations of functions, and
  // those that are hidden, lose their names, so that integers stand for them.
  void find(std::span<Node* const> declarations, const TokenStream& stream);

  // Whether several things of the program have an identifier.
  bool is_ambiguous(std::string_view name) const;
  // Whether a structure that a function declares has the tag of another one around it.
  bool hides(const Record& record) const;

 private:
  struct Tagged {
    const void* type;      // Record or Enumeration
    std::size_t external;  // the declaration of the file that it is in
    bool of_block;
  };
  void add(const Node* node, std::size_t external);
  void add_name(std::string_view name, const void* what);
  void add_tag(std::string_view tag, const Tagged& tagged);

  struct Name {
    const void* first;
    bool several = false;
  };
  std::unordered_map<std::string_view, Name> names_;
  std::unordered_map<std::string_view, std::vector<Tagged>> tags_;
  std::vector<Enumeration*> enumerations_;
};

}  // namespace upc2c

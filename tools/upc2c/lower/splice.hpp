// SPDX-License-Identifier: BSD-3-Clause
// The text of nodes.
#pragma once
#include <functional>
#include <string>

#include "tools/upc2c/ast/node.hpp"

namespace upc2c {

struct Lower;

class Splice {
 public:
  explicit Splice(Lower& lower) : lower_(lower) {}

  // The translated text of a node, by its kind; of a null node "". White space before it is not part of it.
  std::string text(const Node* node);
  // The tokens as they are. Those of system headers and of the UPC library's headers are left out; pragmas
  // and includes between the tokens stay in their places.
  std::string raw(const Node* node) { return raw(node->tokens); }
  std::string raw(TokenRange range);
  // The tokens of a node with text(part) in the places of its parts.
  std::string spliced(const Node* node);
  // The same with another function for the texts of the parts.
  std::string spliced(const Node* node, const std::function<std::string(const Node*)>& part);
  // The text before a token: white space, pragmas, includes. It has the line ends of the input, so that lines
  // keep their numbers where gaps are kept.
  std::string gap(TokenIndex token);
  // The pragmas of the program before tokens `first` to `last` that the C compiler has to see, each on a line
  // of its own.
  std::string pragmas(TokenIndex first, TokenIndex last);

  // Names that the program does not have: p_7.
  std::string temporary(std::string_view stem);

 private:
  bool is_in_other_file(TokenIndex token) const;

  Lower& lower_;
  unsigned temporaries_ = 0;
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Declarators, also abstract ones, and parameter lists.
#pragma once
#include <vector>

#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Grammar;

class DeclaratorParser {
 public:
  explicit DeclaratorParser(Grammar& grammar) : g_(grammar) {}

  enum class Form : std::uint8_t {
    kNamed,      // of an object, function or typedef: has a name
    kAbstract,   // of a type-name: has none
    kParameter,  // either
    kField,      // either, and a bit width
  };
  Declarator* parse(Form form);

 private:
  struct State;
  // Adds the chunks of one nesting level, in the order in which they apply.
  void parse_level(State& state, Form form);
  void parse_pointers(State& state, std::vector<DeclaratorChunk>& chunks);
  void parse_suffixes(State& state, std::vector<DeclaratorChunk>& chunks);
  DeclaratorChunk array(State& state);
  DeclaratorChunk function(State& state);
  bool parse_identifier_list(DeclaratorChunk& chunk);
  bool is_parenthesised(Form form) const;
  Parameter* parameter();

  Grammar& g_;
};

}  // namespace upc2c

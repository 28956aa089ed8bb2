// SPDX-License-Identifier: BSD-3-Clause
// Structures, unions and enumerations.
#pragma once
#include <vector>

#include "tools/upc2c/ast/decl.hpp"

namespace upc2c {

struct Grammar;

class StructParser {
 public:
  explicit StructParser(Grammar& grammar) : g_(grammar) {}

  RecordSpec* record();
  EnumSpec* enumeration();

 private:
  void fields(std::vector<Node*>& children);
  FieldDeclaration* field();
  Enumerator* enumerator();

  Grammar& g_;
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Objects that exist before main: the tables of shared objects and their initial values, as two functions
// that the start-up code calls on every thread.
#pragma once
#include <string>
#include <vector>

#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {

struct Lower;

class Statics {
 public:
  explicit Statics(Lower& lower) : lower_(lower) {}

  // A shared object that this file defines, perhaps again; `initializer` may be null.
  void add(const Symbol& symbol, const Expr* initializer);
  // Statements of UPCRI_INIT_..., which every thread runs. Those for shared objects stand between them, in
  // the order of the text.
  void add_statement(const std::string& statements);
  // A definition at file scope, before these functions.
  void add_definition(const std::string& definition) { definitions_ += definition; }
  // UPCRI_ALLOC_... and UPCRI_INIT_..., and assertions of the sizes that were taken for granted. "" if there
  // is nothing to be done.
  std::string functions();

 private:
  struct Step {
    std::string text;  // or
    const Symbol* symbol = nullptr;
    const Expr* initializer = nullptr;
  };
  std::string entry(const Symbol& symbol) const;
  std::string table(bool phaseless);
  std::string suffix() const;

  Lower& lower_;
  std::vector<const Symbol*> objects_;
  std::vector<Step> steps_;
  std::string definitions_;
};

}  // namespace upc2c

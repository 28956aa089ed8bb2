// SPDX-License-Identifier: BSD-3-Clause
// Accesses to shared elements that a loop does through private pointers: which they are, and their text.
#pragma once
#include <string>
#include <unordered_map>

#include "tools/upc2c/ast/expr.hpp"

namespace upc2c {

struct Lower;

class PrivateRuns {
 public:
  // The text for an access while a private body is written.
  struct Access {
    std::string lvalue;  // the element through the private pointer; "" for one of an array
    bool plain = false;  // it may be read as C reads objects; else by one load
    std::string array;   // the name of the upc2c_array_t or upc2c_cyclic_t that the element is in
    bool anywhere = false, pointed = false;  // as of an IrregularAccess
  };
  using Accesses = std::unordered_map<const Expr*, Access>;

  explicit PrivateRuns(Lower& lower) : lower_(lower) {}

  bool has(const Expr* shared) const { return accesses_.count(shared) != 0; }
  // The private lvalue of a shared one, or "": it is accessed as usual.
  std::string lvalue(const Expr* shared) const;
  // The local address of the object of an irregular access, a uintptr_t, or "".
  std::string address(const Expr* shared) const;
  // The value of the shared lvalue, or "".
  std::string value(const Expr* shared) const;
  // From here on these accesses are private; returns those that were.
  Accesses replace(Accesses accesses);

  // Texts for expressions that step a variable, where the step is left out.
  using Steps = std::unordered_map<const Expr*, std::string>;
  const std::string* step(const Expr* expr) const;
  Steps replace_steps(Steps steps);

 private:
  Lower& lower_;
  Accesses accesses_;
  Steps steps_;
};

}  // namespace upc2c

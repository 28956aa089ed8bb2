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
    std::string lvalue;  // the element through the private pointer
    bool plain = false;  // it may be read as C reads objects; else by one load
  };
  using Accesses = std::unordered_map<const Expr*, Access>;

  explicit PrivateRuns(Lower& lower) : lower_(lower) {}

  // The private lvalue of a shared one, or null: it is accessed as usual.
  const std::string* lvalue(const Expr* shared) const;
  // The value of the shared lvalue, or "".
  std::string value(const Expr* shared) const;
  // From here on these accesses are private; returns those that were.
  Accesses replace(Accesses accesses);

 private:
  Lower& lower_;
  Accesses accesses_;
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// Loops whose updates of elements anywhere in memory are done some iterations later (loop/later_update.hpp):
// the queue of updates, described in upcr/upc2c_later.h.
#pragma once
#include <functional>
#include <string>

#include "tools/upc2c/loop/later_update.hpp"

namespace upc2c {

struct Lower;

class LaterUpdates {
 public:
  explicit LaterUpdates(Lower& lower) : lower_(lower) {}

  // The iterations with later updates, if they may and are worth it, and what they need before and behind
  // them; they may end before the loop's condition does. `remaining`: how many iterations there are, for
  // values of variables at that time. `iterations` writes them, given what the condition needs besides.
  std::string text(const LaterUpdate& later, const std::string& remaining,
                   const std::function<std::string(const std::string&)>& iterations);
  // While such iterations are written: whether an expression is the update, and its text. `place`: the
  // element's local address.
  bool has(const Expr* update) const { return later_.update == update && update != nullptr; }
  bool has_object(const Expr* lvalue) const { return later_.lvalue == lvalue && lvalue != nullptr; }
  std::string put(const std::string& place);

 private:
  // The update of the queue's entry `index`, a statement.
  std::string done(const std::string& index) const;

  Lower& lower_;
  LaterUpdate later_;                          // of the iterations that are written
  std::string type_, queue_, values_, count_;  // the names
};

}  // namespace upc2c

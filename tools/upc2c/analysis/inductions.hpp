// SPDX-License-Identifier: BSD-3-Clause
// Variables that every iteration of a loop changes by the same amount: in its head, as `i++, j--`, and by
// expressions that the body always evaluates, as `k += 2;` and `*p++`.
#pragma once
#include <vector>

#include "tools/upc2c/analysis/facts.hpp"
#include "tools/upc2c/ast/plain_part.hpp"
#include "tools/upc2c/type/extent.hpp"

namespace upc2c {

// The variable that an expression names, or null.
const Symbol* symbol_of(const Expr* expr);

// variable++, variable += amount and the like; without variable: the expression is something else. The amount
// is a constant.
struct Step {
  const Symbol* variable = nullptr;
  Extent amount;
  const Expr* expr = nullptr;
};
Step step_of(const Expr* expr);
// The parts of the step of a loop: one, or several with commas between them.
std::vector<const Expr*> parts_of_step(const Expr* step);

struct Induction {
  const Symbol* symbol = nullptr;
  Extent step;              // by each iteration
  std::vector<Step> steps;  // those in the body, in their order; none: it is stepped in the head

  bool is_pointer() const { return symbol->type.is_pointer_to_shared(); }
};

class Inductions {
 public:
  // The variable of the loop: whether it may be one is checked elsewhere.
  void set_main(const Symbol* variable, Extent step) { main_ = {variable, step, {}}; }
  // Variables beside it. `head`: the steps of the head without the main one; `facts`: of these and the body.
  void find(const std::vector<Step>& head, const Node* body, const BodyFacts& facts);

  const Induction* find(const Symbol* symbol) const;
  bool is_main(const Symbol* symbol) const { return symbol != nullptr && symbol == main_.symbol; }
  const std::vector<Induction>& others() const { return others_; }
  // Whether the expression is a step in the body of one of these; which one, or null.
  const Step* step(const Expr* expr) const;

 private:
  Induction main_;
  std::vector<Induction> others_;
};

}  // namespace upc2c

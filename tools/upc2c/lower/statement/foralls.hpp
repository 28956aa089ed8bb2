// SPDX-License-Identifier: BSD-3-Clause
// upc_forall: a for statement in which each thread tests whether an iteration is its own.
#pragma once
#include <string>

#include "tools/upc2c/ast/decl.hpp"
#include "tools/upc2c/loop/plan.hpp"

namespace upc2c {

struct Lower;

class Foralls {
 public:
  explicit Foralls(Lower& lower) : lower_(lower) {}

  std::string text(const ForallStmt* loop);

 private:
  // for (init; condition; step). A declaration of which C has no single one goes to `before`.
  std::string head(const ForallStmt* loop, std::string& before);
  std::string general(const ForallStmt* loop, bool distributed);
  std::string optimized(const ForallStmt* loop, const LoopPlan& plan, bool distributed);
  static std::string control(const std::string& all, bool calls);
  // Whether an iteration with this affinity is the calling thread's.
  std::string owned(const Expr* affinity);

  Lower& lower_;
  // Inside a loop with affinity in this function: loops in it run in full.
  const Function* distributed_in_ = nullptr;
};

}  // namespace upc2c

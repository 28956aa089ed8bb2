// SPDX-License-Identifier: BSD-3-Clause
// Loops as the optimiser (loop/plan.hpp) plans them: the iterations of the calling thread, and accesses
// through private pointers where the elements are mapped. What the text calls is in upcr/upc2c_loops.h.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "tools/upc2c/loop/plan.hpp"

namespace upc2c {

struct Lower;

class OptimizedLoops {
 public:
  explicit OptimizedLoops(Lower& lower) : lower_(lower) {}

  LoopPlan plan(const Stmt* loop);  // for, while, do
  LoopPlan plan(const ForallStmt* loop, bool distributed);
  // The loop, by a plan that transforms it.
  std::string text(const Stmt* loop, const LoopPlan& plan);
  // `enter`: what stands before the loop, "" for none. `all`: the condition under which every iteration is
  // the calling thread's, although the affinity says otherwise; "" where the affinity does not count.
  std::string text(const ForallStmt* loop, const LoopPlan& plan, const std::string& enter,
                   const std::string& all);
  // In a statement expression no loop is transformed: it may be an argument of a macro, where lines must not
  // go back.
  void enter_expression() { in_expression_++; }
  void leave_expression() { in_expression_--; }
  bool in_expression() const { return in_expression_ > 0; }

 private:
  // Names and texts of a loop that is being written.
  struct Names {
    std::string variable, type;  // of the loop, and its type
    std::string step;            // by how much the variable changes with an iteration
    std::string from, trips;
    std::string chunks;  // "": all iterations are one chunk
    std::string pace;    // with chunks: iterations from one to the next of a stretch
    std::string end;     // a label behind the loop for breaks; "": there are none
    std::string beside;  // what else the step of the loop does
    QualType pointer;    // the variable's type, if it is a pointer-to-shared
  };
  std::string transformed(const LoopPlan& plan, const Node* init, const Stmt* body, const std::string& enter,
                          const std::string& all);
  // Without runs: as written if not all arrays are mapped, else with private accesses. `iterations` writes
  // the loop, but for what stands before its first iteration, given what its condition needs besides.
  template <class Iterations>
  std::string arrays(const LoopPlan& plan, const Iterations& iterations);
  std::string trips(const LoopPlan& plan, const std::string& variable);
  std::string trips_of_walk(const CountedLoop& loop);
  std::string name(const Symbol& symbol);
  std::string owned(const LoopPlan& plan, const Names& names, const std::string& all);
  // The iterations of a chunk.
  std::string general(const Names& names, const Stmt* body);
  // The value of the variable that is `from` some iterations before.
  std::string value(const Names& names, const std::string& from, const std::string& distance);
  std::string beside(const LoopPlan& plan, bool deferred);
  // Statements that move the pointers that the private loop leaves out.
  std::string moved_walks(const LoopPlan& plan, const std::string& count);
  std::string versions(const LoopPlan& plan, const Names& names, const Stmt* body, const std::string& all);
  // A run as upcr/upc2c_loops.h describes it: what is constant, and statements that set the rest in `object`.
  std::string kind(const PlannedRun& run);
  // `placed`: where elements are that other runs have found, by the text that finds them.
  std::string place(const PlannedRun& run, const LoopPlan& plan, const std::string& object,
                    std::map<std::string, std::string>& placed);
  // The private lvalue that iteration `index` has, `shift` elements behind the run's.
  std::string element(const PlannedRun& run, const Names& names, const std::string& pointer,
                      const std::string& index, std::int64_t shift);
  static std::string local(const LoopPlan& plan, const std::vector<std::string>& locals,
                           const std::string& own);
  std::string elements_between(const PlannedRun& run, const Names& names);

  Lower& lower_;
  unsigned in_expression_ = 0;
};

}  // namespace upc2c

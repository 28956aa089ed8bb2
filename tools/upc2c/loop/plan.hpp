// SPDX-License-Identifier: BSD-3-Clause
// The interface of the optimiser of loops: what a loop may become. It only looks; the lowering writes.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include "tools/upc2c/analysis/fixed_reads.hpp"
#include "tools/upc2c/analysis/references.hpp"
#include "tools/upc2c/ast/decl.hpp"
#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/loop/counted.hpp"
#include "tools/upc2c/loop/later_update.hpp"
#include "tools/upc2c/loop/ownership.hpp"
#include "tools/upc2c/loop/planned_run.hpp"
#include "tools/upc2c/loop/walking_pointers.hpp"
#include "tools/upc2c/text/lexer.hpp"
#include "tools/upc2c/type/types.hpp"

namespace upc2c {

struct LoopOptions {
  int level = 0;                    // 0: loops stay; 1: iterations by owner; 2: also accesses
  std::vector<std::uint32_t> only;  // if not empty: the lines of loops and statements that are transformed
};

struct LoopPlan {
  CountedLoop counted;              // without variable: the loop stays as it is
  std::vector<const Expr*> beside;  // parts of its step that are not the variable's
  Inductions inductions;
  std::vector<WalkingPointer> walks;
  Ownership owner;
  std::vector<PlannedRun> runs;  // if not empty: the body is written twice
  std::vector<RunAccess> accesses;
  bool independent = false;  // no iteration accesses what another one writes, and the C compiler may be told
  // If not empty: the body is written twice; once with these accesses as private ones, for arrays that are
  // mapped as a whole.
  std::vector<IrregularAccess> irregular;
  LaterUpdate later;                                 // of the irregular access
  const Expr *condition = nullptr, *step = nullptr;  // of the loop
  bool is_counted = false;                           // the number of its iterations is known
  bool breaks = false;                               // break may end it
  bool hidden = false;                               // its function has control that its loops do not show
  std::vector<FixedRead> once;  // objects that are read once, also if the loop stays as it is

  explicit operator bool() const { return counted.variable != nullptr || !irregular.empty(); }
};

class LoopOptimizer {
 public:
  LoopOptimizer(const TokenStream& stream, const Types& types, Diagnostics& diagnostics,
                const LoopOptions& options, std::int64_t threads)
      : stream_(stream), types_(types), diagnostics_(diagnostics), options_(options), threads_(threads) {}

  // Plans for loops of a function; each reports a remark. `distributed`: the affinity counts.
  LoopPlan plan(const ForStmt& loop, const Function& function);
  LoopPlan plan(const ForallStmt& loop, const Function& function, bool distributed);
  // Of the form while (n--): a remark only of those that do not stay general.
  LoopPlan plan(const WhileStmt& loop, const Function& function);
  LoopPlan plan(const DoStmt& loop, const Function& function);

  // Whether reads in blocks of a function may be fetched together.
  bool may_coalesce(const Function& function);
  // Whether a loop or another statement may be transformed, by its line.
  bool is_wanted(const Node& statement) const;

 private:
  struct Parts {  // of a loop
    const Node& loop;
    const Expr *condition, *step, *affinity;
    const Stmt* body;
  };
  LoopPlan plan(const Parts& parts, const Function& function);
  // Whether a pragma belongs to a loop, which has to stay a loop then: one stands before it, or OpenMP's
  // before a loop whose whole body it is (collapse).
  bool is_of_pragma(const Parts& parts);
  static std::vector<const Node*> each_time(const Parts& parts);
  // What is read once in the loop of a plan.
  std::vector<FixedRead> reads_once(const Parts& parts, const LoopPlan& plan, const BodyFacts& facts);
  // Those of them that are; remarks the others.
  void keep_reads_once(const Parts& parts, const BodyFacts& facts, LoopPlan& plan);
  // Completes the plan; "" or why the loop stays general.
  std::string_view decide(const Parts& parts, const Function& function, LoopPlan& plan,
                          References& references, BodyFacts& facts);
  // Whether a loop without runs has irregular accesses that may be private; `reason`: why it stays general.
  bool find_irregular(const Parts& parts, std::string_view reason, const BodyFacts& facts,
                      References& references, LoopPlan& plan);
  // Finds variable and step; false if the step is of another kind.
  bool find_steps(const Parts& parts, LoopPlan& plan, BodyFacts& facts) const;
  bool is_independent(const Parts& parts, const LoopPlan& plan, const BodyFacts& facts) const;
  std::string_view hidden(const Function& function);
  void keep_runs(References& references, const BodyFacts& facts, LoopPlan& plan) const;

  const TokenStream& stream_;
  const Types& types_;
  Diagnostics& diagnostics_;
  const LoopOptions& options_;
  std::int64_t threads_;  // THREADS in the static environment, else 0
  std::map<const Function*, std::string_view> hidden_control_;
  std::unordered_set<const Node*> of_pragmas_;  // loops in loops that have a pragma
};

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// The part of a loop's plan about objects that it reads once.
#include <algorithm>

#include "tools/upc2c/loop/plan.hpp"

namespace upc2c {
namespace {

bool is_within(const Expr* part, const Expr& whole) {
  return whole.tokens.begin <= part->tokens.begin && part->tokens.end <= whole.tokens.end;
}

}  // namespace

std::vector<const Node*> LoopOptimizer::each_time(const Parts& parts) {
  const Node* step = parts.loop.is(NodeKind::kFor) || parts.loop.is(NodeKind::kForall) ? parts.step : nullptr;
  return {parts.condition, parts.affinity, step, parts.body};
}

std::vector<FixedRead> LoopOptimizer::reads_once(const Parts& parts, const LoopPlan& plan,
                                                 const BodyFacts& facts) {
  if (options_.level < 2 || has_pragmas(parts.loop.tokens, stream_)) return {};
  if (!plan.counted.in_condition)
    return find_fixed_reads(each_time(parts), facts, plan.counted.variable, stream_);
  BodyFacts all = facts;
  add_facts(parts.condition, stream_, all);
  return find_fixed_reads(each_time(parts), all, plan.counted.variable, stream_);
}

// A loop that does not end by itself may wait until another thread changes what it reads.
void LoopOptimizer::keep_reads_once(const Parts& parts, const BodyFacts& facts, LoopPlan& plan) {
  const bool may_wait = !plan.is_counted || facts.leaves;
  std::erase_if(plan.once, [&](FixedRead& read) {
    const bool in_bound = plan.is_counted && plan.counted.bound != nullptr &&
                          std::all_of(read.reads.begin(), read.reads.end(), [&](const Expr* lvalue) {
                            return is_within(lvalue, *plan.counted.bound);
                          });
    if (read.refused.empty() && may_wait && !in_bound && decides(read, each_time(parts)))
      read.refused = "the loop may wait for it";
    if (read.refused.empty()) return false;
    diagnostics_.report(Diag::kAgain, read.reads[0]->tokens.begin, "read in each iteration: %: %",
                        {quoted(source_text(read.reads[0], stream_)), read.refused});
    return true;
  });
}

}  // namespace upc2c

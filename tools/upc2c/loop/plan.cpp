// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/loop/plan.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "tools/upc2c/analysis/neighbours.hpp"
#include "tools/upc2c/ast/walk.hpp"
#include "tools/upc2c/loop/remark.hpp"

namespace upc2c {
namespace {

// A body of more tokens is not written twice: once with private accesses, and as it is.
constexpr std::size_t kMaxCopied = 400;
// Nor one of more tokens for accesses that only leave out the test of their addresses.
constexpr std::size_t kMaxScattered = 150;

}  // namespace

LoopPlan LoopOptimizer::plan(const ForStmt& loop, const Function& function) {
  if (options_.level < 2 || !loop.has_upc) return {};
  return plan(Parts{loop, loop.condition(), loop.step(), nullptr, loop.body()}, function);
}

LoopPlan LoopOptimizer::plan(const ForallStmt& loop, const Function& function, bool distributed) {
  if (options_.level < (distributed ? 1 : 2)) return {};
  return plan(
      Parts{loop, loop.condition(), loop.step(), distributed ? loop.affinity() : nullptr, loop.body()},
      function);
}

LoopPlan LoopOptimizer::plan(const WhileStmt& loop, const Function& function) {
  if (options_.level < 2 || !loop.has_upc) return {};
  return plan(Parts{loop, loop.condition(), nullptr, nullptr, loop.body()}, function);
}

LoopPlan LoopOptimizer::plan(const DoStmt& loop, const Function& function) {
  if (options_.level < 2 || !loop.has_upc) return {};
  return plan(Parts{loop, loop.condition(), nullptr, nullptr, loop.body()}, function);
}

LoopPlan LoopOptimizer::plan(const Parts& parts, const Function& function) {
  const bool of_pragma = is_of_pragma(parts), wanted = is_wanted(parts.loop);
  if (of_pragma && wanted)
    diagnostics_.report(Diag::kLoop, parts.loop.tokens.begin,
                        "the loop stays general: a pragma before it belongs to a loop");
  if (of_pragma || !wanted) return {};
  LoopPlan plan;
  References references;
  BodyFacts facts = facts_of(parts.body, stream_);
  if (parts.loop.is(NodeKind::kDo) ||
      (parts.loop.is(NodeKind::kWhile) && counted_down(parts.condition).variable == nullptr)) {
    if (!hidden(function).empty()) return {};
    add_facts(parts.condition, stream_, facts);
    plan.once = reads_once(parts, plan, facts);
    keep_reads_once(parts, facts, plan);
    return plan;
  }
  std::string_view reason = decide(parts, function, plan, references, facts);
  keep_reads_once(parts, facts, plan);
  if (find_irregular(parts, reason, facts, references, plan)) reason = {};
  const bool has_accesses = !references.runs.empty() || !references.other.empty() || !plan.irregular.empty();
  LoopPlan general;
  general.once = plan.once;
  if (parts.loop.is(NodeKind::kWhile) && !reason.empty()) return general;
  if (parts.affinity != nullptr || has_accesses || !plan.runs.empty())
    diagnostics_.report(
        Diag::kLoop, parts.loop.tokens.begin, "%",
        {reason.empty() ? remark_of(plan, references) : "the loop stays general: " + std::string(reason)});
  return reason.empty() ? plan : general;
}

bool LoopOptimizer::is_of_pragma(const Parts& parts) {
  const TokenIndex first = parts.loop.tokens.begin;
  if (!of_pragmas_.contains(&parts.loop) && !follows_pragma(first, PragmaKind::kLoop, stream_))
    return follows_pragma(first, PragmaKind::kLoopHint, stream_);
  const Node* inner = only_statement(parts.body);
  if (inner != nullptr && inner->is(NodeKind::kFor)) of_pragmas_.insert(inner);
  return true;
}

std::string_view LoopOptimizer::decide(const Parts& parts, const Function& function, LoopPlan& plan,
                                       References& references, BodyFacts& facts) {
  plan.breaks = facts.breaks;
  const bool stepped = find_steps(parts, plan, facts);
  const LoopValues values(plan.inductions, facts, types_.target());
  references = find_references(parts.body, values, stream_);
  const std::string_view hidden_reason = hidden(function);
  plan.hidden = !hidden_reason.empty();
  if (plan.hidden) return hidden_reason;
  // The step changes the variable of the loop, which is taken into account.
  for (const Expr* part : {parts.condition, parts.affinity})
    if (part != nullptr && !plan.counted.in_condition) add_facts(part, stream_, facts);
  plan.once = reads_once(parts, plan, facts);
  if (facts.entered) return "a label in it may be jumped to";
  if (facts.leaves && parts.affinity != nullptr) return "break, goto or return may leave it";
  if (!stepped) return "its step is not one of a variable by a constant";
  // The bound is evaluated once.
  std::unordered_set<const Expr*> once;
  for (const FixedRead& read : plan.once)
    if (read.refused.empty()) once.insert(read.reads.begin(), read.reads.end());
  if (const std::string_view reason = complete(plan.counted, parts.condition,
                                               LoopValues(values, std::move(once)), facts, types_.target());
      !reason.empty())
    return reason;
  plan.is_counted = true;
  if (parts.affinity != nullptr)
    if (const std::string_view reason = find_ownership(parts.affinity, values, plan.owner); !reason.empty())
      return reason;
  if (options_.level < 2) return parts.affinity != nullptr ? "" : "iterations by owner only";
  std::string_view reason;
  if (references.runs.empty())
    reason = "no access in it goes through an array in equal steps";
  else if (facts.loops)
    reason = "a loop in it is more worth it";
  else if (facts.orders)
    reason = "it has strict accesses, barriers, fences, locks or asm";
  else
    keep_runs(references, facts, plan);
  if (!plan.runs.empty())
    reason =
        find_walking_pointers(parts.body, facts, plan.counted, plan.inductions, plan.accesses, plan.walks);
  if (!reason.empty()) {
    plan.runs.clear();
    plan.accesses.clear();
  }
  const bool twice = std::any_of(plan.runs.begin(), plan.runs.end(),
                                 [](const PlannedRun& run) { return !run.uncopied.empty(); });
  if (twice && (!facts.copyable || facts.tokens > kMaxCopied)) {
    plan.runs.clear();
    plan.accesses.clear();
    reason = "its body is too long, or declares what cannot stand twice";
  }
  plan.independent = is_independent(parts, plan, facts);
  if (parts.affinity != nullptr) return "";  // by owner, whatever becomes of the accesses
  if (reason.empty() && plan.runs.empty()) reason = "its elements are of several threads";
  return reason;
}

bool LoopOptimizer::is_independent(const Parts& parts, const LoopPlan& plan, const BodyFacts& facts) const {
  if (!plan.once.empty() || !plan.beside.empty()) return false;
  std::vector<Run> runs;
  std::vector<Extent> strides;
  for (const PlannedRun& run : plan.runs) {
    runs.push_back(run.run);
    strides.push_back(run.stride);
  }
  return are_independent(runs, strides, plan.accesses, parts.body, facts, stream_);
}

bool LoopOptimizer::find_irregular(const Parts& parts, std::string_view reason, const BodyFacts& facts,
                                   References& references, LoopPlan& plan) {
  if (options_.level < 2 || references.irregular.empty() || !plan.runs.empty()) return false;
  if (parts.loop.is(NodeKind::kWhile) || (parts.affinity != nullptr && !reason.empty())) return false;
  if (facts.loops || facts.orders || facts.entered || !facts.copyable || facts.tokens > kMaxCopied)
    return false;
  if (plan.hidden) return false;
  // What the body and the step change is known; what the condition changes is not.
  if (parts.condition == nullptr || facts_of(parts.condition, stream_).has_effects()) return false;
  plan.irregular = std::move(references.irregular);
  if (facts.tokens > kMaxScattered) {
    std::erase_if(plan.irregular, [](const IrregularAccess& access) { return access.anywhere; });
    if (plan.irregular.empty()) return false;
  }
  // Of a loop that may wait for another thread, a read is one load.
  if (!plan.is_counted)
    for (IrregularAccess& access : plan.irregular) access.plain = false;
  plan.condition = parts.condition;
  plan.step = parts.step;
  if (plan.irregular.size() == 1 && plan.is_counted && parts.affinity == nullptr && !plan.counted.walks() &&
      plan.once.empty() && !facts.leaves && !facts.writes_pointees && facts.tokens <= kMaxScattered)
    plan.later = find_later_update(parts.body, parts.condition, parts.step, facts, plan.irregular.front(),
                                   types_.target());
  return true;
}

bool LoopOptimizer::find_steps(const Parts& parts, LoopPlan& plan, BodyFacts& facts) const {
  if (parts.loop.is(NodeKind::kWhile)) {
    plan.counted = counted_down(parts.condition);
    plan.inductions.set_main(plan.counted.variable, plan.counted.step);
  }
  const std::vector<const Expr*> steps = parts_of_step(parts.step);
  const auto* comparison = cast_if<BinaryExpr>(parts.condition ? plain_part(parts.condition) : nullptr);
  std::vector<Step> beside;
  for (const Expr* part : steps) {
    const Step step = step_of(part);
    const bool compared =
        comparison != nullptr && step.variable != nullptr &&
        (symbol_of(comparison->left()) == step.variable || symbol_of(comparison->right()) == step.variable);
    if (plan.counted.variable == nullptr && step.variable != nullptr && (compared || steps.size() == 1)) {
      plan.counted.variable = step.variable;
      plan.counted.step = step.amount;
      plan.inductions.set_main(step.variable, step.amount);
      continue;
    }
    plan.beside.push_back(part);
    if (step.variable != nullptr) beside.push_back(step);
    add_facts(part, stream_, facts);
  }
  // Beside the variable only the private data of a loop that runs all iterations is changed.
  const auto is_shared = [](const Node* node) {
    return node->is_expr() && static_cast<const Expr*>(node)->is_shared_access();
  };
  for (const Expr* part : plan.beside)
    if (parts.affinity != nullptr || find_below(part, is_shared) != nullptr) return false;
  if (parts.affinity == nullptr) plan.inductions.find(beside, parts.body, facts);
  return plan.counted.variable != nullptr;
}

// Keeps the runs of which every thread's elements follow each other in its memory.
void LoopOptimizer::keep_runs(References& references, const BodyFacts& facts, LoopPlan& plan) const {
  std::vector<std::size_t> kept(references.runs.size(), references.runs.size());
  for (std::size_t i = 0; i < references.runs.size(); i++) {
    PlannedRun planned{references.runs[i], {}, {}, {}};
    if (place(planned, plan.owner.pace, threads_)) {
      kept[i] = plan.runs.size();
      plan.runs.push_back(planned);
      continue;
    }
    references.other_reads |= planned.run.read;
    references.other_writes |= planned.run.written;
    if (!references.other.empty()) continue;
    references.other = planned.run.text;
    references.reason = "its elements are of several threads";
  }
  for (PlannedRun& run : plan.runs) run.uncopied = why_uncopied(run.run, references, facts);
  for (RunAccess access : references.accesses) {
    access.run = kept[access.run];
    if (access.run < plan.runs.size()) plan.accesses.push_back(access);
  }
}

std::string_view LoopOptimizer::hidden(const Function& function) {
  const auto [known, is_new] = hidden_control_.try_emplace(&function);
  if (is_new) known->second = hidden_control(function, stream_);
  return known->second;
}

bool LoopOptimizer::may_coalesce(const Function& function) {
  return options_.level >= 2 && hidden(function).empty();
}

bool LoopOptimizer::is_wanted(const Node& statement) const {
  const auto line = stream_.place(statement.tokens.begin).line;
  return options_.only.empty() ||
         std::find(options_.only.begin(), options_.only.end(), line) != options_.only.end();
}

}  // namespace upc2c

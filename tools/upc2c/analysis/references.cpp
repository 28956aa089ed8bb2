// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/analysis/references.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "tools/upc2c/analysis/always.hpp"
#include "tools/upc2c/analysis/neighbours.hpp"
#include "tools/upc2c/analysis/plain_accesses.hpp"
#include "tools/upc2c/analysis/walk.hpp"
#include "tools/upc2c/place/atomics.hpp"

namespace upc2c {
namespace {

// More would not pay: each is tested at run time.
constexpr std::size_t kMaxRuns = 16;
constexpr std::string_view kNotLinear = "its index is not linear in the variable of the loop";

// Numbers that one access of memory reads or writes.
bool is_run_type(QualType type) {
  if (type.has(kVolatile) || type.has(kAtomic)) return false;
  if (type.is(TypeKind::kFloat) || type.is(TypeKind::kDouble)) return true;
  return type.is_integer() && !type.is(TypeKind::kInt128) && !type.is(TypeKind::kUInt128) &&
         !type.is(TypeKind::kBool);
}

bool is_relaxed(const Expr* lvalue) {
  return lvalue->mode == AccessMode::kRelaxed ||
         (lvalue->mode == AccessMode::kNone && !lvalue->type.has(kStrict));
}

class Collector {
 public:
  Collector(const Node* body, const LoopValues& values, const TokenStream& stream)
      : values_(values), stream_(stream), plain_(body), always_(always_evaluated(body)) {}

  void visit(const Expr& access) {
    const bool written = writes(access);
    if (!is_relaxed(&access)) return other(access, "it is strict");
    if (access.category == Category::kBitField || !is_run_type(access.type))
      return other(access, "its type is none of a run");
    if (written && !plain_.is_statement(&access)) return other(access, "the value that it stores is used");
    const auto element = element_of(&access, values_);
    if (!element) {
      if (!in_packed_record(&access))
        irregular({&access, written || plain_.is_plain(&access), false, false, false, ""});
      return other(access, kNotLinear);
    }
    RunAccess found{&access, 0, written || plain_.is_plain(&access)};
    std::vector<Offset> offsets;
    if (!find_steps(found, offsets)) return other(access, kNotLinear);
    add(found, *element, offsets);
  }

  void visit_atomic(const AtomicObject& on) {
    if (on.pointed || !in_packed_record(on.object))
      irregular({on.object, false, false, on.pointed, true, ""});
  }

  References take() {
    join_neighbours(found_, values_, stream_);
    return std::move(found_);
  }

 private:
  void irregular(IrregularAccess access) {
    access.anywhere = access.pointed || !is_of_known_array(access.lvalue, values_);
    access.text = source_text(access.lvalue, stream_);
    found_.irregular.push_back(std::move(access));
  }

  // Whether C may not access the object as any of its type.
  static bool in_packed_record(const Expr* lvalue) {
    for (;;) {
      lvalue = plain_part(lvalue);
      if (const auto* member = cast_if<MemberExpr>(lvalue)) {
        if (!is_aligned_member(*member)) return true;
        if (member->arrow) return false;
        lvalue = member->base();
      } else if (const auto* index = cast_if<IndexExpr>(lvalue);
                 index != nullptr && plain_part(index->base())->type.is_array()) {
        lvalue = index->base();
      } else {
        return false;
      }
    }
  }

  // The steps that were done before the access, and one in it.
  bool find_steps(RunAccess& access, std::vector<Offset>& offsets) const {
    bool known = true;
    for_each_node(access.lvalue, [&](const Node& node) {
      const auto* name = cast_if<NameExpr>(&node);
      const Induction* induction = name == nullptr ? nullptr : values_.inductions().find(name->symbol);
      if (induction == nullptr || induction->steps.empty()) return;
      Offset offset{induction->symbol, {}};
      for (const Step& step : induction->steps) {
        const bool inside =
            step.expr->tokens.begin <= name->tokens.begin && name->tokens.end <= step.expr->tokens.end;
        if (inside && !induction->is_pointer()) {
          known &= access.step == nullptr;
          access.step = step.expr;
        }
        const auto* unary = cast_if<UnaryExpr>(step.expr);
        const bool post = unary != nullptr &&
                          (unary->op == UnaryOp::kPostIncrement || unary->op == UnaryOp::kPostDecrement);
        if (inside ? post : step.expr->tokens.end > name->tokens.begin) continue;
        const auto total = sum(offset.by, step.amount);
        known &= total.has_value();
        if (total) offset.by = *total;
      }
      if (offset.by.factor != 0) offsets.push_back(offset);
    });
    return known;
  }

  void add(RunAccess found, const Element& element, const std::vector<Offset>& offsets) {
    const Expr& access = *found.lvalue;
    const std::string text = source_text(&access, stream_);
    auto run = std::find_if(found_.runs.begin(), found_.runs.end(),
                            [&](const Run& r) { return r.text == text && r.offsets == offsets; });
    if (run == found_.runs.end()) {
      if (found_.runs.size() == kMaxRuns) return other(access, "the loop has too many");
      found_.runs.push_back({&access, element.type, element.index.factor, text, offsets, ""});
      run = found_.runs.end() - 1;
    }
    found.run = static_cast<std::size_t>(run - found_.runs.begin());
    found_.accesses.push_back(found);
    run->read |= access.use != Use::kAssigned;
    run->written |= writes(access);
    if (always_.count(&access) == 0) return;
    run->always = true;
    run->always_written |= writes(access);
  }

  static bool writes(const Expr& access) {
    return access.use == Use::kAssigned || access.use == Use::kUpdated;
  }

  void other(const Expr& access, std::string_view reason) {
    found_.other_reads |= access.use != Use::kAssigned;
    found_.other_writes |= writes(access);
    if (!found_.other.empty()) return;
    found_.other = source_text(&access, stream_);
    found_.reason = reason;
  }

  const LoopValues& values_;
  const TokenStream& stream_;
  PlainAccesses plain_;
  std::unordered_set<const Node*> always_;
  References found_;
};

}  // namespace

References find_references(const Node* body, const LoopValues& values, const TokenStream& stream) {
  Collector collector(body, values, stream);
  for_each_node(body, [&](const Node& node) {
    if (!node.is_expr()) return;
    const auto& expr = static_cast<const Expr&>(node);
    if (expr.is_shared_access()) collector.visit(expr);
    if (const auto* call = cast_if<CallExpr>(&node); call != nullptr)
      if (const AtomicObject on = relaxed_atomic(*call)) collector.visit_atomic(on);
  });
  return collector.take();
}

}  // namespace upc2c

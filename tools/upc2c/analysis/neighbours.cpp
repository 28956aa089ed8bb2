// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/analysis/neighbours.hpp"

#include <algorithm>
#include <unordered_set>

#include "tools/upc2c/ast/walk.hpp"
#include "tools/upc2c/type/compat.hpp"

namespace upc2c {
namespace {

// Elements of at most 8 bytes that are further apart may be copied without what is between them
// (upcr/vis/runs.cpp).
constexpr std::int64_t kFarthest = 15;

// A number as the sum of texts and a constant.
struct Terms {
  std::vector<std::string> texts;
  std::int64_t constant = 0;
};

class Bases {
 public:
  Bases(const LoopValues& values, const TokenStream& stream) : values_(values), stream_(stream) {}

  // Completes base and shift of a run; without a base if its place is of another kind.
  void find(Run& run) const {
    if (run.element.block != 0 || run.element.unqualified() != run.lvalue->type.unqualified()) return;
    if (find_below(run.lvalue, has_effect) != nullptr) return;
    const Expr *pointer = nullptr, *lvalue = plain_part(run.lvalue);
    Terms terms;
    bool known = true;
    if (const auto* access = cast_if<IndexExpr>(lvalue); access != nullptr) {
      if (!access->base()->target.is_pointer()) return;
      pointer = access->base();
      known = add(access->index(), false, terms);
    } else if (const auto* unary = cast_if<UnaryExpr>(lvalue);
               unary != nullptr && unary->op == UnaryOp::kDereference) {
      pointer = plain_part(unary->operand());
      const auto* sum = cast_if<BinaryExpr>(pointer);
      if (sum != nullptr && (sum->op == BinaryOp::kAdd || sum->op == BinaryOp::kSubtract)) {
        if (!sum->left()->target.is_pointer()) return;
        pointer = sum->left();
        known = add(sum->right(), sum->op == BinaryOp::kSubtract, terms);
      }
    }
    if (pointer == nullptr || !known) return;
    std::sort(terms.texts.begin(), terms.texts.end());
    run.base = source_text(plain_part(pointer), stream_);
    for (const std::string& text : terms.texts) run.base += " " + text;
    run.shift = terms.constant;
  }

 private:
  static bool has_effect(const Node* node) {
    const auto* unary = cast_if<UnaryExpr>(node);
    return node->is(NodeKind::kAssign) || node->is(NodeKind::kCall) || node->is(NodeKind::kStatementExpr) ||
           (unary != nullptr && unary->op >= UnaryOp::kPreIncrement && unary->op <= UnaryOp::kPostDecrement);
  }

  // Adds the terms of an index. A sum that wraps around in less than 64 bits has none.
  bool add(const Expr* expr, bool negative, Terms& terms) const {
    expr = plain_part(expr);
    if (const auto value = LoopValues::constant(expr); value && !value->threads)
      return !__builtin_add_overflow(terms.constant, negative ? -value->factor : value->factor,
                                     &terms.constant);
    if (const auto* sum = cast_if<BinaryExpr>(expr);
        sum != nullptr && (sum->op == BinaryOp::kAdd || sum->op == BinaryOp::kSubtract)) {
      if (width_of(sum->type) < 64 && is_unsigned(sum->type, values_.target())) return false;
      return add(sum->left(), negative, terms) &&
             add(sum->right(), negative != (sum->op == BinaryOp::kSubtract), terms);
    }
    terms.texts.push_back((negative ? "-" : "+") + source_text(expr, stream_));
    return true;
  }

  const LoopValues& values_;
  const TokenStream& stream_;
};

bool may_join(const Run& a, const Run& b) {
  return are_neighbours(a, b) && !a.written && !b.written && a.always == b.always &&
         std::max(a.shift + a.more, b.shift + b.more) - std::min(a.shift, b.shift) <= kFarthest;
}

// The declared array that a run goes through; null: a pointer's.
const Symbol* array_of(const Run& run) {
  const NameExpr* name = named_object(run.lvalue);
  return name != nullptr && name->symbol != nullptr && name->symbol->type.is_array() ? name->symbol : nullptr;
}

// The element that members of it are accessed of.
const Expr* whole_element(const Expr* lvalue) {
  lvalue = plain_part(lvalue);
  for (const MemberExpr* member; (member = cast_if<MemberExpr>(lvalue)) != nullptr && !member->arrow;)
    lvalue = plain_part(member->base());
  return lvalue;
}

// Whether a body accesses shared objects or elements of arrays, dereferences pointers or calls functions, but
// for the given accesses.
bool accesses_memory(const Node* body, const std::unordered_set<const Node*>& but) {
  std::vector<const Node*> rest = {body};
  while (!rest.empty()) {
    const Node* node = rest.back();
    rest.pop_back();
    if (node == nullptr || but.count(node) != 0) continue;
    const auto* unary = cast_if<UnaryExpr>(node);
    const auto* member = cast_if<MemberExpr>(node);
    if (node->is(NodeKind::kIndex) || (unary != nullptr && unary->op == UnaryOp::kDereference) ||
        (member != nullptr && member->arrow) || node->is(NodeKind::kCall) ||
        (node->is_expr() && static_cast<const Expr*>(node)->is_shared_access()))
      return true;
    rest.insert(rest.end(), node->children().begin(), node->children().end());
  }
  return false;
}

// Two runs of which one is written.
bool are_independent(const Run& a, const Run& b, const TokenStream& stream) {
  const Symbol *array = array_of(a), *other = array_of(b);
  if (array == nullptr || other == nullptr) return false;
  return array != other ||
         (a.offsets == b.offsets && a.more == 0 && b.more == 0 &&
          source_text(whole_element(a.lvalue), stream) == source_text(whole_element(b.lvalue), stream));
}

}  // namespace

bool are_neighbours(const Run& a, const Run& b) {
  return !a.base.empty() && a.base == b.base && a.factor == b.factor && a.offsets == b.offsets &&
         std::abs(a.shift - b.shift) <= kFarthest;
}

bool are_independent(const std::vector<Run>& runs, const std::vector<Extent>& strides,
                     const std::vector<RunAccess>& accesses, const Node* body, const BodyFacts& facts,
                     const TokenStream& stream) {
  if (facts.calls || facts.leaves || facts.loops || facts.orders || facts.writes_pointees) return false;
  for (const auto& [symbol, places] : facts.assigned)
    if (symbol->static_storage || symbol->address_taken) return false;
  std::unordered_set<const Node*> private_ones;
  for (const RunAccess& access : accesses) {
    if (!access.plain) return false;
    private_ones.insert(access.lvalue);
  }
  if (accesses_memory(body, private_ones)) return false;
  bool written = false;
  for (std::size_t i = 0; i < runs.size(); i++) {
    if (!runs[i].written) continue;
    written = true;
    if (strides[i].factor == 0) return false;
    for (std::size_t k = 0; k < runs.size(); k++)
      if (k != i && !are_independent(runs[i], runs[k], stream)) return false;
  }
  return written && runs.size() > 1;
}

void join_neighbours(References& references, const LoopValues& values, const TokenStream& stream) {
  const Bases bases(values, stream);
  std::vector<Run> joined;
  std::vector<std::size_t> place;         // by the number of a run: where it is now
  std::vector<std::int64_t> first_shift;  // by the number of a run: its own shift
  for (Run& run : references.runs) {
    bases.find(run);
    first_shift.push_back(run.shift);
    const auto other =
        std::find_if(joined.begin(), joined.end(), [&](const Run& r) { return may_join(r, run); });
    place.push_back(static_cast<std::size_t>(other - joined.begin()));
    if (other == joined.end()) {
      joined.push_back(run);
      continue;
    }
    const std::int64_t last = std::max(other->shift + other->more, run.shift);
    if (run.shift < other->shift) other->lvalue = run.lvalue;
    other->shift = std::min(other->shift, run.shift);
    other->more = last - other->shift;
    other->text += "', '" + run.text;
  }
  for (RunAccess& access : references.accesses) {
    const std::int64_t own = first_shift[access.run];
    access.run = place[access.run];
    access.shift = own - joined[access.run].shift;
  }
  references.runs = std::move(joined);
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/loop/references.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "tools/upc2c/loop/always.hpp"
#include "tools/upc2c/loop/neighbours.hpp"
#include "tools/upc2c/loop/walk.hpp"
#include "tools/upc2c/place/atomics.hpp"
#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

// More would not pay: each is tested at run time.
constexpr std::size_t kMaxRuns = 16;
constexpr std::string_view kNotLinear = "its index is not linear in the variable of the loop";

// An element and whether a member of it was entered: subscripts behind it are within the element.
struct Path {
  Element element;
  bool inside = false;
};

class PathFinder {
 public:
  // `any_index`: of the element only the array is sought, and nothing is known of its index.
  explicit PathFinder(const LoopValues& values, bool any_index = false)
      : values_(values), any_index_(any_index) {}

  std::optional<Path> lvalue(const Expr* expr) const {
    expr = plain_part(expr);
    switch (expr->kind) {
      case NodeKind::kName:
        if (!expr->type.is_shared() || as<NameExpr>(expr)->symbol == nullptr) return {};
        return Path{{expr->type.ultimate_element(), {}}, false};
      case NodeKind::kUnary:
        if (as<UnaryExpr>(expr)->op != UnaryOp::kDereference) return {};
        return pointer(as<UnaryExpr>(expr)->operand());
      case NodeKind::kIndex: {
        const auto& access = *as<IndexExpr>(expr);
        const bool swapped = !access.base()->target.is_pointer();
        return moved(swapped ? access.index() : access.base(), swapped ? access.base() : access.index(),
                     false);
      }
      case NodeKind::kMember: {
        const auto& member = *as<MemberExpr>(expr);
        auto path = member.arrow ? pointer(member.base()) : lvalue(member.base());
        if (!path || !is_aligned(member)) return {};
        path->inside = true;
        return path;
      }
      default:
        return {};
    }
  }

  std::optional<Path> pointer(const Expr* expr) const {
    expr = plain_part(expr);
    if (expr->type.is_array() && expr->type.is_shared()) return lvalue(expr);
    if (!expr->type.is_pointer_to_shared()) return {};
    // An implicit conversion to a pointer of another layout would move by other elements.
    if (expr->target.is_pointer() && expr->target->inner.ultimate_element().unqualified() !=
                                         expr->type->inner.ultimate_element().unqualified())
      return {};
    if (expr->target.is_pointer() &&
        expr->target->inner.ultimate_element().block != expr->type->inner.ultimate_element().block)
      return {};
    switch (expr->kind) {
      case NodeKind::kName:
        return fixed(expr, as<NameExpr>(expr)->symbol);
      case NodeKind::kUnary:
        if (const Step* step = values_.inductions().step(expr)) return fixed(expr, step->variable);
        if (as<UnaryExpr>(expr)->op != UnaryOp::kAddress) return {};
        return lvalue(as<UnaryExpr>(expr)->operand());
      case NodeKind::kBinary: {
        const auto& sum = *as<BinaryExpr>(expr);
        if (sum.op != BinaryOp::kAdd && sum.op != BinaryOp::kSubtract) return {};
        const bool left = sum.left()->target.is_pointer_to_shared();
        return moved(left ? sum.left() : sum.right(), left ? sum.right() : sum.left(),
                     sum.op == BinaryOp::kSubtract);
      }
      case NodeKind::kCast: {
        const auto inner = PathFinder(values_).pointer(as<CastExpr>(expr)->operand());
        if (!inner || inner->element.index.factor.factor != 0) return {};
        return start(expr);
      }
      default:
        return {};
    }
  }

  // Whether C may access the member as any object of its type.
  static bool is_aligned(const MemberExpr& member) {
    const QualType record = member.arrow ? member.base()->target->inner : member.base()->type;
    if (member.member == nullptr || !record.is_record() || member.category == Category::kBitField)
      return false;
    if (record->record->packed || record->record->pack != 0 || record->record->unknown_layout) return false;
    return std::none_of(member.member->path.begin(), member.member->path.end(), [](const Field* field) {
      const bool packed =
          field->type.is_record() && (field->type->record->packed || field->type->record->pack != 0);
      return field->packed || packed || field->type_align != 0;
    });
  }

 private:
  std::optional<Path> start(const Expr* pointer) const {
    const QualType pointee = pointer->type->inner;
    if (pointee.is_void()) return {};
    return Path{{pointee.ultimate_element(), {}}, false};
  }
  std::optional<Path> fixed(const Expr* pointer, const Symbol* symbol) const {
    if (symbol == nullptr) return {};
    const Induction* induction = values_.inductions().find(symbol);
    if (induction == nullptr) return values_.is_invariant(*symbol) ? start(pointer) : std::nullopt;
    if (any_index_) return {};
    auto path = start(pointer);
    const auto count = element_count(pointer->type->inner);
    const auto distance = count ? product(induction->step, *count) : std::nullopt;
    if (!path || !distance) return {};
    path->element.index.factor = *distance;
    return path;
  }

  std::optional<Path> moved(const Expr* base, const Expr* index, bool negative) const {
    auto path = pointer(base);
    if (!path || !base->target.is_pointer()) return {};
    if (any_index_)
      return element_count(base->target->inner) && index->type.is_integer() ? path : std::nullopt;
    const Step* step = values_.inductions().step(index);
    const auto steps = step != nullptr && index->is(NodeKind::kUnary) ? values_.stepped(step->variable)
                                                                      : values_.linear(index);
    const auto count = element_count(base->target->inner);
    if (!steps || !count) return {};
    if (path->inside) {  // within one element
      if (steps->factor.factor != 0) return {};
      return path;
    }
    const auto scaled = product(steps->factor, {negative ? -count->factor : count->factor, count->threads});
    const auto total = scaled ? sum(path->element.index.factor, *scaled) : std::nullopt;
    if (!total) return {};
    path->element.index = {*total, path->element.index.exact && steps->exact};
    return path;
  }

  const LoopValues& values_;
  bool any_index_;
};

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

// The accesses whose values only go into sums and products that are stored, or are written by statements.
class PlainAccesses {
 public:
  explicit PlainAccesses(const Node* body) {
    for_each_node(body, [this](const Node& node) {
      if (const auto* statement = cast_if<ExprStmt>(&node);
          statement != nullptr && statement->value() != nullptr)
        effect(statement->value());
    });
  }
  bool is_plain(const Expr* access) const { return plain_.count(access) != 0; }
  // Whether the access is one by a statement: `a[i] = value;`.
  bool is_statement(const Expr* access) const { return targets_.count(access) != 0; }

 private:
  void effect(const Expr* expr) {
    expr = plain_part(expr);
    if (expr->use != Use::kDiscarded) return;
    if (const auto* binary = cast_if<BinaryExpr>(expr); binary != nullptr && binary->op == BinaryOp::kComma) {
      effect(binary->left());
      effect(binary->right());
    } else if (const auto* assign = cast_if<AssignExpr>(expr)) {
      const Expr* left = plain_part(assign->left());
      targets_.insert(left);
      if (left->type.is_shared() || assign->compound) operand(assign->right());
    } else if (const auto* unary = cast_if<UnaryExpr>(expr); unary != nullptr &&
                                                             unary->op >= UnaryOp::kPreIncrement &&
                                                             unary->op <= UnaryOp::kPostDecrement) {
      targets_.insert(plain_part(unary->operand()));
    }
  }

  void operand(const Expr* expr) {
    expr = plain_part(expr);
    if (expr->is_shared_access()) plain_.insert(expr);
    if (const auto* binary = cast_if<BinaryExpr>(expr)) {
      if (binary->op != BinaryOp::kAdd && binary->op != BinaryOp::kSubtract &&
          binary->op != BinaryOp::kMultiply && !(binary->op == BinaryOp::kDivide && expr->type.is_floating()))
        return;
      operand(binary->left());
      operand(binary->right());
    } else if (const auto* unary = cast_if<UnaryExpr>(expr);
               unary != nullptr && (unary->op == UnaryOp::kPlus || unary->op == UnaryOp::kMinus)) {
      operand(unary->operand());
    } else if (const auto* cast = cast_if<CastExpr>(expr); cast != nullptr && cast->type.is_arithmetic()) {
      operand(cast->operand());
    }
  }

  std::unordered_set<const Expr*> plain_, targets_;
};

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
    access.anywhere = access.pointed || !PathFinder(values_, true).lvalue(access.lvalue);
    access.text = source_text(access.lvalue, stream_);
    found_.irregular.push_back(std::move(access));
  }

  // Whether C may not access the object as any of its type.
  static bool in_packed_record(const Expr* lvalue) {
    for (;;) {
      lvalue = plain_part(lvalue);
      if (const auto* member = cast_if<MemberExpr>(lvalue)) {
        if (!PathFinder::is_aligned(*member)) return true;
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

std::string source_text(const Expr* expr, const TokenStream& stream) {
  std::string out;
  for (TokenIndex i = expr->tokens.begin; i < expr->tokens.end; i++) {
    if (i != expr->tokens.begin && !stream.gap(i).empty()) out += ' ';
    out += stream.text(i);
  }
  return out;
}

std::optional<Element> element_of(const Expr* where, const LoopValues& values) {
  const auto path = PathFinder(values).lvalue(where);
  return path ? std::optional<Element>(path->element) : std::nullopt;
}

std::optional<Element> pointed_element(const Expr* pointer, const LoopValues& values) {
  const auto path = PathFinder(values).pointer(pointer);
  return path ? std::optional<Element>(path->element) : std::nullopt;
}

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

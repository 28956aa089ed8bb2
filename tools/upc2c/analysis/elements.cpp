// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/analysis/elements.hpp"

#include <algorithm>

#include "tools/upc2c/type/layout.hpp"

namespace upc2c {
namespace {

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
        if (!path || !is_aligned_member(member)) return {};
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

}  // namespace

std::optional<Element> element_of(const Expr* where, const LoopValues& values) {
  const auto path = PathFinder(values).lvalue(where);
  return path ? std::optional<Element>(path->element) : std::nullopt;
}

std::optional<Element> pointed_element(const Expr* pointer, const LoopValues& values) {
  const auto path = PathFinder(values).pointer(pointer);
  return path ? std::optional<Element>(path->element) : std::nullopt;
}

bool is_of_known_array(const Expr* lvalue, const LoopValues& values) {
  return PathFinder(values, true).lvalue(lvalue).has_value();
}

bool is_aligned_member(const MemberExpr& member) {
  const QualType record = member.arrow ? member.base()->target->inner : member.base()->type;
  if (member.member == nullptr || !record.is_record() || member.category == Category::kBitField) return false;
  if (record->record->packed || record->record->pack != 0 || record->record->unknown_layout) return false;
  return std::none_of(member.member->path.begin(), member.member->path.end(), [](const Field* field) {
    const bool packed =
        field->type.is_record() && (field->type->record->packed || field->type->record->pack != 0);
    return field->packed || packed || field->type_align != 0;
  });
}

std::string source_text(const Expr* expr, const TokenStream& stream) {
  std::string out;
  for (TokenIndex i = expr->tokens.begin; i < expr->tokens.end; i++) {
    if (i != expr->tokens.begin && !stream.gap(i).empty()) out += ' ';
    out += stream.text(i);
  }
  return out;
}

}  // namespace upc2c

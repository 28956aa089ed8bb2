// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/analysis/fixed_reads.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "tools/upc2c/analysis/inductions.hpp"
#include "tools/upc2c/analysis/walk.hpp"
#include "tools/upc2c/ast/walk.hpp"

namespace upc2c {
namespace {

struct Access {
  const Expr* lvalue = nullptr;
  bool inner = false;  // in a loop in the loop
};

bool is_loop(const Node& node) {
  return node.is(NodeKind::kWhile) || node.is(NodeKind::kDo) || node.is(NodeKind::kFor) ||
         node.is(NodeKind::kForall);
}

std::vector<Access> accesses_of(std::span<const Node* const> parts) {
  std::vector<Access> out;
  std::vector<std::pair<const Node*, bool>> rest;
  for (const Node* part : parts) {
    if (part != nullptr) rest.emplace_back(part, false);
    while (!rest.empty()) {
      const auto [node, inner] = rest.back();
      rest.pop_back();
      if (node->is_expr() && static_cast<const Expr*>(node)->is_shared_access())
        out.push_back({static_cast<const Expr*>(node), inner});
      for (std::size_t i = node->child_count; i > 0; i--)
        if (const Node* child = node->child(i - 1); child != nullptr && child->has_upc)
          rest.emplace_back(child, inner || is_loop(*node));
    }
  }
  return out;
}

bool is_relaxed(const Expr* access) {
  return access->mode == AccessMode::kRelaxed ||
         (access->mode == AccessMode::kNone && !access->type.has(kStrict));
}

std::string_view why_each_time(const FixedRead& read, std::span<const Access> accesses,
                               const BodyFacts& facts, const TokenStream& stream) {
  if (facts.orders) return "the loop has strict accesses, barriers, fences, locks or asm";
  if (facts.calls) return "the loop calls functions";
  if (facts.entered) return "a label in the loop may be jumped to";
  if (facts.writes_pointees) return "a store through a pointer may be to it, or to what names it";
  for (const Access& access : accesses) {
    if (std::find(read.reads.begin(), read.reads.end(), access.lvalue) != read.reads.end()) continue;
    if (access.lvalue->use != Use::kRead) {
      if (may_overlap(read.place, access.lvalue, stream)) return "a store may be to it";
      continue;
    }
    // Of one name the second read is not older than the first one.
    const auto other = read_place(access.lvalue);
    if (other && other->pointed == read.place.pointed &&
        same_expression(other->object, read.place.object, stream) &&
        may_overlap(read.place, access.lvalue, stream))
      return "another read of it is not done once";
  }
  return {};
}

bool is_through_pointer(const Expr& expr) {
  const auto* unary = cast_if<UnaryExpr>(&expr);
  const auto* member = cast_if<MemberExpr>(&expr);
  return (unary != nullptr && unary->op == UnaryOp::kDereference) || expr.is(NodeKind::kIndex) ||
         (member != nullptr && member->arrow);
}

// What a value reaches in a loop: variables by their names, and memory as a whole.
class Reach {
 public:
  explicit Reach(const FixedRead& read) : reads_(read.reads.begin(), read.reads.end()) {}

  bool reaches(const Node* root) const {
    return root != nullptr &&
           find_below(root, [this](const Node* node) {
             if (!node->is_expr()) return false;
             const auto* expr = static_cast<const Expr*>(node);
             if (reads_.count(expr) != 0) return true;
             if (memory_ &&
                 (expr->is_shared_access() || is_through_pointer(*expr) || expr->is(NodeKind::kCall)))
               return true;
             const auto* name = cast_if<NameExpr>(node);
             return name != nullptr && name->symbol != nullptr && symbols_.count(name->symbol) != 0;
           }) != nullptr;
  }

  // Whether something new is reached.
  bool flow(const Node& node) {
    if (const auto* assign = cast_if<AssignExpr>(&node))
      return (reaches(assign->right()) || reaches(assign->left())) && add(assign->left());
    if (const auto* unary = cast_if<UnaryExpr>(&node); unary != nullptr && counts(unary->op))
      return reaches(unary->operand()) && add(unary->operand());
    if (const auto* declared = cast_if<InitDeclarator>(&node))
      return reaches(declared->initializer()) && declared->declarator()->symbol != nullptr &&
             symbols_.insert(declared->declarator()->symbol).second;
    return false;
  }

 private:
  static bool counts(UnaryOp op) { return op >= UnaryOp::kPreIncrement && op <= UnaryOp::kPostDecrement; }
  bool add(const Expr* lvalue) {
    const NameExpr* name = plain_part(lvalue)->type.is_shared() ? nullptr : named_object(lvalue);
    if (name == nullptr || name->symbol == nullptr) return !std::exchange(memory_, true);
    const bool is_new = symbols_.insert(name->symbol).second;
    // A variable that functions and pointers know is memory, too.
    return (is_exposed(*name->symbol) && !std::exchange(memory_, true)) || is_new;
  }

  std::unordered_set<const Expr*> reads_;
  std::unordered_set<const Symbol*> symbols_;
  bool memory_ = false;
};

// The part of a node that decides what is evaluated, or the size of a variable, or null.
const Node* condition_of(const Node& node) {
  switch (node.kind) {
    case NodeKind::kIf:
      return as<IfStmt>(&node)->condition();
    case NodeKind::kSwitch:
      return as<SwitchStmt>(&node)->condition();
    case NodeKind::kWhile:
      return as<WhileStmt>(&node)->condition();
    case NodeKind::kDo:
      return as<DoStmt>(&node)->condition();
    case NodeKind::kFor:
      return as<ForStmt>(&node)->condition();
    case NodeKind::kForall:
    case NodeKind::kComputedGoto:
      return &node;
    case NodeKind::kInitDeclarator:
      return as<InitDeclarator>(&node)->declarator();
    case NodeKind::kConditional:
      return as<ConditionalExpr>(&node)->condition();
    case NodeKind::kBinary: {
      const auto& binary = *as<BinaryExpr>(&node);
      const bool lazy = binary.op == BinaryOp::kLogicalAnd || binary.op == BinaryOp::kLogicalOr;
      return lazy ? binary.left() : nullptr;
    }
    default:
      return nullptr;
  }
}

}  // namespace

// More objects of one loop are read as written: what decides() takes grows with each.
constexpr std::size_t kMostReads = 16;

std::vector<FixedRead> find_fixed_reads(std::span<const Node* const> parts, const BodyFacts& facts,
                                        const Symbol* variable, const TokenStream& stream) {
  const std::vector<Access> accesses = accesses_of(parts);
  std::vector<FixedRead> out;
  for (const Access& access : accesses) {
    const Expr* lvalue = access.lvalue;
    if (access.inner || lvalue->use != Use::kRead || !is_relaxed(lvalue) || !is_read_type(lvalue->type))
      continue;
    const auto place = read_place(lvalue);
    std::unordered_set<const Symbol*> by;
    if (!place || !is_fixed(*place, by)) continue;
    if (std::any_of(by.begin(), by.end(), [&](const Symbol* name) {
          return name == variable || facts.assigned.count(name) != 0 || facts.declared.count(name) != 0;
        }))
      continue;
    const auto same = std::find_if(out.begin(), out.end(), [&](const FixedRead& other) {
      return other.place.offset == place->offset && other.place.size == place->size &&
             other.place.pointed == place->pointed &&
             other.reads[0]->type.unqualified() == lvalue->type.unqualified() &&
             same_expression(other.place.object, place->object, stream);
    });
    if (same != out.end()) {
      same->reads.push_back(lvalue);
      continue;
    }
    if (out.size() == kMostReads) continue;
    out.push_back({*place, {lvalue}, {}});
  }
  for (FixedRead& read : out) read.refused = why_each_time(read, accesses, facts, stream);
  return out;
}

bool decides(const FixedRead& read, std::span<const Node* const> parts) {
  Reach reach(read);
  for (bool more = true; more;) {
    more = false;
    for (const Node* part : parts)
      if (part != nullptr) for_each_node(part, [&](const Node& node) { more |= reach.flow(node); });
  }
  return std::any_of(parts.begin(), parts.end(), [&](const Node* part) {
    return part != nullptr && ((part->is_expr() && reach.reaches(part)) ||  // of its head
                               find_below(part, [&](const Node* node) {
                                 const Node* condition = condition_of(*node);
                                 return condition != nullptr && reach.reaches(condition);
                               }) != nullptr);
  });
}

}  // namespace upc2c

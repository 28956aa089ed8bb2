// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/loop/walking_pointers.hpp"

#include <unordered_set>

#include "tools/upc2c/ast/walk.hpp"

namespace upc2c {

// Steps of a pointer-to-shared are left out where it is only used for private accesses.
std::string_view find_walking_pointers(const Node* body, const BodyFacts& facts, const CountedLoop& counted,
                                       const Inductions& inductions, const std::vector<RunAccess>& accesses,
                                       std::vector<WalkingPointer>& walks) {
  std::unordered_set<const Node*> lvalues;
  for (const RunAccess& access : accesses) lvalues.insert(access.lvalue);
  std::vector<Induction> pointers;
  for (const Induction& induction : inductions.others())
    if (induction.is_pointer()) pointers.push_back(induction);
  if (counted.walks()) pointers.push_back(*inductions.find(counted.variable));
  for (const Induction& pointer : pointers) {
    bool used = facts.leaves, stepped_in_access = false;
    std::vector<const Node*> rest = {body};
    while (!rest.empty()) {
      const Node* node = rest.back();
      rest.pop_back();
      if (node == nullptr) continue;
      const auto* expr = node->is_expr() ? static_cast<const Expr*>(node) : nullptr;
      if (lvalues.count(node) != 0) {
        stepped_in_access |=
            find_below(node, [&](const Node* part) {
              const Step* step = part->is_expr() ? inductions.step(static_cast<const Expr*>(part)) : nullptr;
              return step != nullptr && step->variable == pointer.symbol;
            }) != nullptr;
        continue;
      }
      if (expr != nullptr && expr->use == Use::kDiscarded)
        if (const Step* step = inductions.step(expr); step != nullptr && step->variable == pointer.symbol)
          continue;
      if (const auto* name = cast_if<NameExpr>(node); name != nullptr && name->symbol == pointer.symbol)
        used = true;
      rest.insert(rest.end(), node->children().begin(), node->children().end());
    }
    if (used && stepped_in_access) return "a pointer that it steps is used in other ways, too";
    walks.push_back({pointer.symbol, pointer.step, !used});
  }
  return {};
}

}  // namespace upc2c

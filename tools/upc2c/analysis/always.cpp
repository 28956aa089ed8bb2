// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/analysis/always.hpp"

#include <vector>

#include "tools/upc2c/ast/expr.hpp"
#include "tools/upc2c/ast/walk.hpp"

namespace upc2c {
namespace {

bool is_choice(const Node& node) {
  const auto* binary = cast_if<BinaryExpr>(&node);
  return node.is(NodeKind::kConditional) ||
         (binary != nullptr && (binary->op == BinaryOp::kLogicalAnd || binary->op == BinaryOp::kLogicalOr));
}

// How many of its parts are evaluated whenever the node is; the first ones.
std::size_t evaluated_parts(const Node& node) {
  switch (node.kind) {
    case NodeKind::kCompound:
    case NodeKind::kDeclarationStmt:
    case NodeKind::kDeclaration:
    case NodeKind::kInitDeclarator:
    case NodeKind::kInitList:
    case NodeKind::kExprStmt:
    case NodeKind::kParen:
    case NodeKind::kUnary:
    case NodeKind::kAssign:
    case NodeKind::kIndex:
    case NodeKind::kCall:
    case NodeKind::kMember:
    case NodeKind::kCast:
      return node.child_count;
    case NodeKind::kBinary:
    case NodeKind::kConditional:
      return is_choice(node) ? 1 : node.child_count;
    case NodeKind::kIf:
    case NodeKind::kSwitch:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

std::unordered_set<const Node*> always_evaluated(const Node* body) {
  std::unordered_set<const Node*> out;
  if (find_below(body, [](const Node* node) { return node->is(NodeKind::kContinue); }) != nullptr) return out;
  std::vector<const Node*> rest = {body};
  while (!rest.empty()) {
    const Node* node = rest.back();
    rest.pop_back();
    if (node == nullptr) continue;
    if (node->is_expr()) out.insert(node);
    for (std::size_t i = 0; i < evaluated_parts(*node); i++) rest.push_back(node->child(i));
  }
  return out;
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// The root of the tree's classes. A node covers a range of tokens and has its parts as children in the order
// of the text, so that the text of any node is its tokens with the text of its children in their places: what
// splicing needs is here, and what a node means is in expr.hpp, stmt.hpp and decl.hpp.
//
// The parser builds nodes and fills in everything but what is marked "by the checker".
#pragma once
#include <cassert>
#include <cstdint>
#include <span>
#include <string_view>

#include "tools/upc2c/text/token.hpp"

namespace upc2c {

/* clang-format off */
enum class NodeKind : std::uint8_t {
  // Expressions (expr.hpp).
  kNumber, kCharacter, kString, kName, kThreads, kMythread, kParen, kUnary, kBinary, kAssign, kConditional,
  kIndex, kCall, kMember, kCast, kCompoundLiteral, kSizeQuery, kStatementExpr, kGeneric, kVaArg, kOffsetof,
  kTypesCompatible, kChooseExpr, kTypeArgument, kInitList, kDesignatedInit, kRangeDesignator, kFieldDesignator,
  kErrorExpr, kLastExpr = kErrorExpr,
  // Statements (stmt.hpp).
  kCompound, kDeclarationStmt, kExprStmt, kEmpty, kIf, kSwitch, kWhile, kDo, kFor, kForall, kGoto, kComputedGoto,
  kContinue, kBreak, kReturn, kLabel, kCase, kDefault, kAsm, kNotify, kWait, kBarrier, kFence, kLocalLabels,
  kErrorStmt, kLastStmt = kErrorStmt,
  // Declarations and their parts (decl.hpp).
  kTranslationUnit, kDeclaration, kFunction, kInitDeclarator, kDeclarator, kParameter, kSpecifiers, kTypeName,
  kRecordSpec, kEnumSpec, kEnumerator, kTypeofSpec, kAtomicSpec, kAlignasSpec, kFieldDeclaration, kAttribute,
  kStaticAssert, kFileAsm, kEmptyDeclaration, kModePragma, kErrorDeclaration,
};
/* clang-format on */

struct Node {
  explicit Node(NodeKind k) : kind(k) {}

  NodeKind kind;
  bool has_upc : 1 = false;  // by parser and checker: something in it must be translated
  bool has_static : 1 =
      false;  // by the checker: it names an unshared object with static storage (thread-local data)
  bool defines_static : 1 = false;  // by the checker: it defines such an object
  bool has_error : 1 = false;       // a syntax error is in it
  // Of the tree below, up to Cursor::kMaxTreeDepth: what walks it recursively relies on that. The branches of
  // an else if have the depth of the first if, and labels in a row that of the first one, so these chains are
  // to be walked in loops (ast/walk.hpp).
  std::uint16_t depth = 0;
  std::uint32_t child_count = 0;
  TokenRange tokens;
  Node** child_array = nullptr;

  // Parts that are left out (the condition of a for) are null.
  std::span<Node* const> children() const { return {child_array, child_count}; }
  Node* child(std::size_t i) const { return child_array[i]; }
  bool is(NodeKind k) const { return kind == k; }
  bool is_expr() const { return kind <= NodeKind::kLastExpr; }
  bool is_stmt() const { return kind > NodeKind::kLastExpr && kind <= NodeKind::kLastStmt; }
};

// The node as a class of its kind; which it is must be known.
template <class T>
T* as(Node* node) {
  assert(node == nullptr || T::fits(node->kind));
  return static_cast<T*>(node);
}
template <class T>
const T* as(const Node* node) {
  assert(node == nullptr || T::fits(node->kind));
  return static_cast<const T*>(node);
}
// The same, or null if it is of another kind.
template <class T>
T* cast_if(Node* node) {
  return node != nullptr && T::fits(node->kind) ? static_cast<T*>(node) : nullptr;
}
template <class T>
const T* cast_if(const Node* node) {
  return node != nullptr && T::fits(node->kind) ? static_cast<const T*>(node) : nullptr;
}

// A base for classes of one kind.
template <NodeKind K, class Base>
struct NodeOf : Base {
  NodeOf() : Base(K) {}
  static constexpr NodeKind kKind = K;
  static bool fits(NodeKind k) { return k == K; }
};

// A label, case or default; what it labels is its last child.
inline bool is_label(const Node& node) {
  return node.is(NodeKind::kLabel) || node.is(NodeKind::kCase) || node.is(NodeKind::kDefault);
}

std::string_view kind_name(NodeKind kind);

}  // namespace upc2c

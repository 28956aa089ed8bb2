// SPDX-License-Identifier: BSD-3-Clause
// Expressions. Each has the type, category and constant value of itself, and what its context does with it:
// `use` and `target`. Implicit conversions are not nodes: an expression of type `type` used as kRead yields a
// value that is converted to `target`. An lvalue whose type is shared and whose use is kRead, kAssigned or
// kUpdated is a shared access.
#pragma once
#include <span>

#include "tools/upc2c/ast/node.hpp"
#include "tools/upc2c/type/type.hpp"

namespace upc2c {

struct Symbol;
struct TypeName;
struct Compound;
struct Member;

enum class UnaryOp : std::uint8_t {
  kPlus,
  kMinus,
  kNot,
  kBitNot,
  kDereference,
  kAddress,
  kPreIncrement,
  kPreDecrement,
  kPostIncrement,
  kPostDecrement,
  kReal,
  kImag,
  kExtension,
  kLabelAddress,
};
enum class BinaryOp : std::uint8_t {
  kMultiply,
  kDivide,
  kRemainder,
  kAdd,
  kSubtract,
  kShiftLeft,
  kShiftRight,
  kLess,
  kGreater,
  kLessEqual,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kBitAnd,
  kBitXor,
  kBitOr,
  kLogicalAnd,
  kLogicalOr,
  kComma,
};
constexpr bool is_comparison(BinaryOp op) { return op >= BinaryOp::kLess && op <= BinaryOp::kNotEqual; }

enum class Category : std::uint8_t { kRvalue, kLvalue, kBitField, kFunction };

// The use of an expression's value by its context.
enum class Use : std::uint8_t {
  kRead,         // lvalue conversion, decay of arrays and functions, then conversion to `target`
  kDiscarded,    // the value is not needed: an expression statement, left of a comma
  kAddress,      // operand of &, left of `.`: designates an object
  kAssigned,     // left of =
  kUpdated,      // operand of ++ -- and of compound assignments: read and assigned
  kUnevaluated,  // operand of sizeof, typeof, _Alignof, the controlling one of _Generic
};

enum class AccessMode : std::uint8_t { kNone, kStrict, kRelaxed };

// A value that is known when translating.
struct Constant {
  enum class Kind : std::uint8_t { kInteger, kFloating, kAddress } kind = Kind::kInteger;
  __extension__ __int128 integer = 0;
  long double floating = 0;
  const Symbol* symbol = nullptr;  // of an address: an object or function, or null for integer as address
};

struct Expr : Node {
  explicit Expr(NodeKind k) : Node(k) {}
  static bool fits(NodeKind k) { return k <= NodeKind::kLastExpr; }

  // All by the checker.
  Category category = Category::kRvalue;
  Use use = Use::kRead;
  AccessMode mode = AccessMode::kNone;  // of a shared access
  bool transparent = false;  // it is what a part of it is: parentheses, __extension__, the choice of _Generic
  bool null_constant = false;     // a null pointer constant: 0, '\0', 1 - 1, (void *)0
  bool integer_constant = false;  // an integer constant expression by the letter of C and UPC
  QualType type;                  // of the lvalue or value itself
  QualType target;                // what the context wants; equal to the value's type if nothing is converted
  const Constant* value = nullptr;  // if it is known

  Expr* expr(std::size_t i) const { return static_cast<Expr*>(child(i)); }
  bool is_lvalue() const { return category == Category::kLvalue || category == Category::kBitField; }
  // The access of a transparent expression is its part's.
  bool is_shared_access() const {
    const bool touched = use == Use::kRead || use == Use::kAssigned || use == Use::kUpdated;
    return is_lvalue() && touched && !transparent && type.is_shared() && !type.is_array();
  }
};

// A number, a character constant, adjoining strings: the tokens.
struct Literal : Expr {
  explicit Literal(NodeKind k) : Expr(k) {}
  static bool fits(NodeKind k) { return k <= NodeKind::kString; }
};
struct ThreadsExpr : NodeOf<NodeKind::kThreads, Expr> {};
struct MythreadExpr : NodeOf<NodeKind::kMythread, Expr> {};
struct ErrorExpr : NodeOf<NodeKind::kErrorExpr, Expr> {};

struct NameExpr : NodeOf<NodeKind::kName, Expr> {
  NameId name = 0;
  Symbol* symbol = nullptr;  // by the checker; null for what nobody declared
};
struct ParenExpr : NodeOf<NodeKind::kParen, Expr> {
  Expr* inner() const { return expr(0); }
};
struct UnaryExpr : NodeOf<NodeKind::kUnary, Expr> {
  UnaryOp op = UnaryOp::kPlus;
  TokenIndex op_token = 0;
  Expr* operand() const { return expr(0); }  // null for a label's address: the name is the last token
};
struct BinaryExpr : NodeOf<NodeKind::kBinary, Expr> {
  BinaryOp op = BinaryOp::kAdd;
  TokenIndex op_token = 0;
  Expr* left() const { return expr(0); }
  Expr* right() const { return expr(1); }
};
struct AssignExpr : NodeOf<NodeKind::kAssign, Expr> {
  bool compound = false;
  BinaryOp op = BinaryOp::kAdd;  // if compound
  TokenIndex op_token = 0;
  Expr* left() const { return expr(0); }
  Expr* right() const { return expr(1); }
};
struct ConditionalExpr : NodeOf<NodeKind::kConditional, Expr> {
  TokenIndex op_token = 0;
  Expr* condition() const { return expr(0); }
  Expr* then_value() const { return expr(1); }  // null: a ?: b
  Expr* else_value() const { return expr(2); }
};
struct IndexExpr : NodeOf<NodeKind::kIndex, Expr> {
  Expr* base() const { return expr(0); }
  Expr* index() const { return expr(1); }
};
struct CallExpr : NodeOf<NodeKind::kCall, Expr> {
  Expr* callee() const { return expr(0); }
  std::span<Node* const> arguments() const { return children().subspan(1); }  // expressions
};
struct MemberExpr : NodeOf<NodeKind::kMember, Expr> {
  bool arrow = false;
  NameId name = 0;
  TokenIndex name_token = 0;
  const Member* member = nullptr;  // by the checker
  Expr* base() const { return expr(0); }
};
struct CastExpr : NodeOf<NodeKind::kCast, Expr> {
  TypeName* type_name() const { return reinterpret_cast<TypeName*>(child(0)); }
  Expr* operand() const { return expr(1); }
};
struct CompoundLiteral : NodeOf<NodeKind::kCompoundLiteral, Expr> {
  TypeName* type_name() const { return reinterpret_cast<TypeName*>(child(0)); }
  Expr* list() const { return expr(1); }
};
// sizeof, _Alignof, upc_localsizeof, upc_blocksizeof, upc_elemsizeof of an expression or a type-name.
struct SizeQuery : NodeOf<NodeKind::kSizeQuery, Expr> {
  Tok op = Tok::kSizeof;
  Node* operand() const { return child(0); }
};
struct StatementExpr : NodeOf<NodeKind::kStatementExpr, Expr> {
  Compound* body() const { return reinterpret_cast<Compound*>(child(0)); }
};
// Children: the controlling expression, then a type-name (null for default) and an expression for each
// association.
struct GenericExpr : NodeOf<NodeKind::kGeneric, Expr> {
  Expr* chosen = nullptr;  // by the checker
  Expr* control() const { return expr(0); }
  std::size_t association_count() const { return (child_count - 1) / 2; }
  TypeName* type_name(std::size_t i) const { return reinterpret_cast<TypeName*>(child(1 + 2 * i)); }
  Expr* result(std::size_t i) const { return expr(2 + 2 * i); }
};
struct VaArgExpr : NodeOf<NodeKind::kVaArg, Expr> {
  Expr* list() const { return expr(0); }
  TypeName* type_name() const { return reinterpret_cast<TypeName*>(child(1)); }
};
// Children: the type-name, then designators: kFieldDesignator and kRangeDesignator.
struct OffsetofExpr : NodeOf<NodeKind::kOffsetof, Expr> {
  TypeName* type_name() const { return reinterpret_cast<TypeName*>(child(0)); }
};
// __builtin_types_compatible_p(T, U) and bupc_assert_type(T, U).
struct TypesCompatibleExpr : NodeOf<NodeKind::kTypesCompatible, Expr> {
  bool is_assert = false;
  TypeName* first() const { return reinterpret_cast<TypeName*>(child(0)); }
  TypeName* second() const { return reinterpret_cast<TypeName*>(child(1)); }
};
struct ChooseExpr : NodeOf<NodeKind::kChooseExpr, Expr> {
  Expr* condition() const { return expr(0); }
  Expr* then_value() const { return expr(1); }
  Expr* else_value() const { return expr(2); }
};
// A type-name as argument of a builtin function.
struct TypeArgument : NodeOf<NodeKind::kTypeArgument, Expr> {
  TypeName* type_name() const { return reinterpret_cast<TypeName*>(child(0)); }
};

// { initialiser, ... }
struct InitList : NodeOf<NodeKind::kInitList, Expr> {
  std::span<Node* const> items() const { return children(); }
};
// Designators, then the value: .a[3] = value, [1 ... 5] = value, field: value.
struct DesignatedInit : NodeOf<NodeKind::kDesignatedInit, Expr> {
  std::span<Node* const> designators() const { return children().first(child_count - 1); }
  Expr* value_expr() const { return expr(child_count - 1); }
};
struct RangeDesignator : NodeOf<NodeKind::kRangeDesignator, Expr> {
  Expr* first() const { return expr(0); }
  Expr* last() const { return expr(1); }  // null for one index
};
struct FieldDesignator : NodeOf<NodeKind::kFieldDesignator, Expr> {
  NameId name = 0;
};

std::string_view spelling(UnaryOp op);
std::string_view spelling(BinaryOp op);

}  // namespace upc2c

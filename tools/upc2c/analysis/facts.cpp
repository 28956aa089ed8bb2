// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/analysis/facts.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "tools/upc2c/analysis/linear.hpp"
#include "tools/upc2c/analysis/walk.hpp"
#include "tools/upc2c/ast/walk.hpp"

namespace upc2c {
namespace {

template <std::size_t n>
bool is_in(const std::string_view (&names)[n], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Functions of which a second return shows values of variables that the program text does not.
bool returns_twice(std::string_view name) {
  static constexpr std::string_view kNames[] = {"setjmp",           "_setjmp",    "__setjmp", "sigsetjmp",
                                                "__sigsetjmp",      "savectx",    "vfork",    "getcontext",
                                                "__builtin_setjmp", "swapcontext"};
  return is_in(kNames, name);
}

// Functions of the C library that compute a value and touch no memory but errno.
bool is_pure(std::string_view name) {
  static constexpr std::string_view kOfDouble[] = {
      "acos",   "acosh", "asin", "asinh", "atan",   "atan2",     "atanh",  "cbrt",      "ceil", "copysign",
      "cos",    "cosh",  "erf",  "erfc",  "exp",    "exp2",      "expm1",  "fabs",      "fdim", "floor",
      "fma",    "fmax",  "fmin", "fmod",  "hypot",  "ldexp",     "llrint", "llround",   "log",  "log10",
      "log1p",  "log2",  "logb", "lrint", "lround", "nearbyint", "pow",    "remainder", "rint", "round",
      "scalbn", "sin",   "sinh", "sqrt",  "tan",    "tanh",      "tgamma", "trunc"};
  static constexpr std::string_view kOthers[] = {"abs",          "labs",        "llabs",
                                                 "upc_threadof", "upc_phaseof", "upc_addrfield"};
  if (is_in(kOfDouble, name) || is_in(kOthers, name)) return true;
  return (name.ends_with('f') || name.ends_with('l')) && is_in(kOfDouble, name.substr(0, name.size() - 1));
}

const NameExpr* callee_name(const CallExpr& call) { return cast_if<NameExpr>(call.callee()); }

// A static function of the file that only computes: it accesses nothing shared, changes nothing but its own
// variables, and calls only such functions. `depth`: of calls, which is limited, and recursion with it.
constexpr unsigned kMaxDepth = 4;
bool only_computes(const Symbol& function, unsigned depth);

bool is_pure_call(const CallExpr& call, unsigned depth) {
  const NameExpr* callee = callee_name(call);
  if (callee == nullptr || callee->symbol == nullptr || callee->symbol->kind != SymbolKind::kFunction)
    return false;
  if (callee->symbol->origin != Origin::kUser) return is_pure(callee->symbol->text);
  return depth < kMaxDepth && only_computes(*callee->symbol, depth + 1);
}

bool orders_call(const CallExpr& call) {
  const NameExpr* callee = callee_name(call);
  static constexpr std::string_view kNames[] = {"upc_lock", "upc_unlock", "upc_lock_attempt", "upc_poll"};
  return callee != nullptr && callee->symbol != nullptr && is_in(kNames, callee->symbol->text);
}

bool is_increment(UnaryOp op) { return op >= UnaryOp::kPreIncrement && op <= UnaryOp::kPostDecrement; }

// Records the object that is changed: a named object, or a part of one; else what a pointer points to.
void note_change(const Expr* lvalue, BodyFacts& facts) {
  if (lvalue->type.is_shared()) return;
  const NameExpr* name = named_object(lvalue);
  if (name == nullptr)
    facts.writes_pointees = true;
  else if (name->symbol != nullptr)
    facts.assigned[name->symbol]++;
}

void note_expression(const Expr& expr, BodyFacts& facts, unsigned depth) {
  if (expr.is_shared_access() &&
      (expr.mode == AccessMode::kStrict || (expr.mode == AccessMode::kNone && expr.type.has(kStrict))))
    facts.orders = true;
  switch (expr.kind) {
    case NodeKind::kAssign:
      return note_change(as<AssignExpr>(&expr)->left(), facts);
    case NodeKind::kUnary:
      if (is_increment(as<UnaryExpr>(&expr)->op)) note_change(as<UnaryExpr>(&expr)->operand(), facts);
      if (as<UnaryExpr>(&expr)->op == UnaryOp::kLabelAddress) facts.entered = true;
      return;
    case NodeKind::kCall:
      facts.calls = facts.calls || !is_pure_call(*as<CallExpr>(&expr), depth);
      facts.orders |= orders_call(*as<CallExpr>(&expr));
      return;
    case NodeKind::kVaArg:
      facts.calls = true;
      return;
    case NodeKind::kErrorExpr:
      facts.copyable = false;
      return;
    default:
      return;
  }
}

void note_part_of_declaration(const Node& node, BodyFacts& facts) {
  switch (node.kind) {
    case NodeKind::kAttribute:  // a function is called where the variable's scope ends
      if (as<Attribute>(&node)->attribute == AttributeKind::kCleanup) facts.calls = facts.orders = true;
      return;
    case NodeKind::kInitDeclarator:
      if (const Symbol* symbol = as<InitDeclarator>(&node)->declarator()->symbol; symbol != nullptr)
        facts.declared.insert(symbol);
      return;
    case NodeKind::kSpecifiers: {
      const auto& specifiers = *as<Specifiers>(&node);
      if (specifiers.storage != Tok::kEnd && specifiers.storage != Tok::kAuto &&
          specifiers.storage != Tok::kRegister)
        facts.copyable = false;
      if (specifiers.thread_local_storage) facts.copyable = false;
      return;
    }
    case NodeKind::kRecordSpec:
      facts.copyable &= !as<RecordSpec>(&node)->defined;
      return;
    case NodeKind::kEnumSpec:
      facts.copyable &= !as<EnumSpec>(&node)->defined;
      return;
    case NodeKind::kFunction:
    case NodeKind::kErrorDeclaration:
      facts.copyable = false;
      return;
    default:
      return;
  }
}

// A node with the statements around it that break and case belong to.
struct Visited {
  const Node* node;
  bool in_loop, in_switch;
};

void note_statement(const Visited& place, BodyFacts& facts) {
  switch (place.node->kind) {
    case NodeKind::kWhile:
    case NodeKind::kDo:
    case NodeKind::kFor:
    case NodeKind::kForall:
      facts.loops = true;
      return;
    case NodeKind::kBreak:
      if (place.in_loop || place.in_switch) return;
      facts.leaves = facts.breaks = true;
      return;
    case NodeKind::kGoto:
    case NodeKind::kComputedGoto:
    case NodeKind::kReturn:
      facts.leaves = true;
      return;
    case NodeKind::kCase:
    case NodeKind::kDefault:
      facts.entered |= !place.in_switch;
      return;
    case NodeKind::kLabel:
    case NodeKind::kLocalLabels:
      facts.entered = true;
      return;
    case NodeKind::kAsm:
      for (const Node* operand : place.node->children())
        if (operand != nullptr) note_change(static_cast<const Expr*>(operand), facts);
      facts.calls = facts.orders = facts.writes_pointees = true;
      facts.copyable = false;
      return;
    case NodeKind::kNotify:
    case NodeKind::kWait:
    case NodeKind::kBarrier:
    case NodeKind::kFence:
      facts.orders = true;
      return;
    case NodeKind::kErrorStmt:
      facts.copyable = false;
      return;
    default:
      return;
  }
}

bool is_loop(NodeKind kind) {
  return kind == NodeKind::kWhile || kind == NodeKind::kDo || kind == NodeKind::kFor ||
         kind == NodeKind::kForall;
}

// `depth`: of calls of functions that only compute.
void collect(const Node* body, BodyFacts& facts, unsigned depth) {
  std::vector<Visited> rest = {{body, false, false}};
  while (!rest.empty()) {
    const Visited place = rest.back();
    rest.pop_back();
    const Node& node = *place.node;
    if (node.is_expr())
      note_expression(static_cast<const Expr&>(node), facts, depth);
    else if (node.is_stmt())
      note_statement(place, facts);
    else
      note_part_of_declaration(node, facts);
    const bool loop = place.in_loop || is_loop(node.kind),
               choice = place.in_switch || node.is(NodeKind::kSwitch);
    for (std::size_t i = node.child_count; i > 0; i--)
      if (node.child(i - 1) != nullptr) rest.push_back({node.child(i - 1), loop, choice});
  }
}

bool only_computes(const Symbol& function, unsigned depth) {
  // Longer ones are rarely worth the search.
  constexpr std::size_t kMaxTokens = 200;
  const auto* definition = cast_if<Function>(function.definition);
  if (definition == nullptr || definition->skipped || function.linkage != Linkage::kInternal) return false;
  const Node* body = definition->body();
  if (body == nullptr || body->tokens.end - body->tokens.begin > kMaxTokens) return false;
  BodyFacts facts;
  collect(body, facts, depth);
  if (facts.calls || facts.orders || facts.writes_pointees) return false;
  if (std::any_of(facts.assigned.begin(), facts.assigned.end(),
                  [](const auto& changed) { return changed.first->static_storage; }))
    return false;
  return find_below(body, [](const Node* node) {
           return node->is_expr() && static_cast<const Expr*>(node)->is_shared_access();
         }) == nullptr;
}

}  // namespace

const NameExpr* named_object(const Expr* lvalue) {
  for (;;) {
    lvalue = plain_part(lvalue);
    if (const auto* name = cast_if<NameExpr>(lvalue)) return name;
    if (const auto* member = cast_if<MemberExpr>(lvalue); member != nullptr && !member->arrow)
      lvalue = member->base();
    else if (const auto* index = cast_if<IndexExpr>(lvalue);
             index != nullptr && index->base()->type.is_array())
      lvalue = index->base();
    else if (const auto* unary = cast_if<UnaryExpr>(lvalue);
             unary != nullptr && (unary->op == UnaryOp::kReal || unary->op == UnaryOp::kImag))
      lvalue = unary->operand();
    else
      return nullptr;
  }
}

bool only_computes(const CallExpr& call) { return is_pure_call(call, 0); }

const Node* only_statement(const Node* statement) {
  while (const auto* block = cast_if<Compound>(statement))
    statement = block->items().size() == 1 ? block->items()[0] : nullptr;
  return statement;
}

bool has_pragmas(TokenRange range, const TokenStream& stream) {
  const auto& all = stream.pragmas();
  auto pragma = std::lower_bound(all.begin(), all.end(), range.begin,
                                 [](const Pragma& p, TokenIndex token) { return p.before < token; });
  for (; pragma != all.end() && pragma->before < range.end; ++pragma)
    if (pragma->kind != PragmaKind::kStrict && pragma->kind != PragmaKind::kRelaxed) return true;
  return false;
}

bool follows_pragma(TokenIndex token, PragmaKind kind, const TokenStream& stream) {
  const auto& all = stream.pragmas();
  auto pragma = std::lower_bound(all.begin(), all.end(), token,
                                 [](const Pragma& p, TokenIndex place) { return p.before < place; });
  for (; pragma != all.end() && pragma->before == token; ++pragma)
    if (pragma->kind == kind) return true;
  return false;
}

std::string_view hidden_control(const Function& function, const TokenStream& stream) {
  const Symbol* symbol = function.declarator()->symbol;
  if (symbol == nullptr || symbol->function != nullptr) return "its function is nested in another one";
  std::string_view reason;
  for_each_node(function.body(), [&](const Node& node) {
    if (node.is(NodeKind::kFunction)) reason = "its function has functions in it";
    if (node.is(NodeKind::kName) && returns_twice(stream.text(node.tokens.begin)))
      reason = "its function calls setjmp or the like";
  });
  return reason;
}

BodyFacts facts_of(const Node* body, const TokenStream& stream) {
  BodyFacts facts;
  add_facts(body, stream, facts);
  return facts;
}

void add_facts(const Node* body, const TokenStream& stream, BodyFacts& facts) {
  if (body == nullptr) return;
  facts.tokens += body->tokens.end - body->tokens.begin;
  if (has_pragmas(body->tokens, stream)) facts.copyable = false;
  collect(body, facts, 0);
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
// The effects of functions and bodies of loops, as far as transformations of loops must know them.
#pragma once
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "tools/upc2c/ast/expr.hpp"
#include "tools/upc2c/ast/symbol.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

// Why no loop of a function is transformed, or "": its variables may change in ways that its loops do not
// show.
std::string_view hidden_control(const Function& function, const TokenStream& stream);

// The statement of which blocks around it consist; null if there are several or none.
const Node* only_statement(const Node* statement);

// The object that a private lvalue is, or is a part of; null: one that a pointer points to.
const NameExpr* named_object(const Expr* lvalue);
// Whether a call changes no memory but errno and accesses nothing shared.
bool only_computes(const CallExpr& call);
// Whether the C compiler is told something about this text: pragmas belong to the statement behind them.
bool has_pragmas(TokenRange range, const TokenStream& stream);
// Whether a pragma of this kind stands directly before the token.
bool follows_pragma(TokenIndex token, PragmaKind kind, const TokenStream& stream);

// Of the body of a loop, or of one of the expressions at its head.
struct BodyFacts {
  // Private objects that are changed, by their names: in how many places.
  std::unordered_map<const Symbol*, std::size_t> assigned;
  std::unordered_set<const Symbol*> declared;  // in it
  bool leaves = false;                         // break, goto or return may end the loop
  bool breaks = false;                         // break may end it
  bool entered = false;                        // a label, or a case of a switch around the loop
  bool loops = false;                          // it has loops in it
  bool calls = false;                          // of functions that may change variables with static storage
  bool orders = false;                         // strict accesses, barriers, fences, locks, asm
  bool writes_pointees = false;                // private stores through pointers
  bool copyable = true;                        // its text may stand twice in a function
  std::size_t tokens = 0;

  bool has_effects() const { return !assigned.empty() || calls || orders || writes_pointees || leaves; }
};

BodyFacts facts_of(const Node* body, const TokenStream& stream);
// The same, added to what is known of other parts.
void add_facts(const Node* body, const TokenStream& stream, BodyFacts& facts);

}  // namespace upc2c

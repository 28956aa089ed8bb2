// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/declaration/declarators.hpp"

#include <algorithm>

#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {

struct DeclaratorParser::State {
  Declarator* out;
  std::vector<DeclaratorChunk> chunks;
  std::vector<Node*> children;
  std::vector<Attribute*> attributes;
};

Declarator* DeclaratorParser::parse(Form form) {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  State state{c.make<Declarator>(), {}, {}, {}};
  parse_level(state, form);
  if (state.out->name == 0 && (form == Form::kNamed || (form == Form::kField && !c.at(Tok::kColon))))
    c.error_no_name(begin);
  if (form == Form::kField && c.accept(Tok::kColon)) {
    state.out->bit_width = g_.expressions.conditional();
    state.children.push_back(state.out->bit_width);
  }
  if (form != Form::kAbstract) g_.attributes.parse_after_declarator(state.attributes);
  state.out->chunks = c.arena().copy(state.chunks);
  state.out->attributes = c.arena().copy(state.attributes);
  state.children.insert(state.children.end(), state.attributes.begin(), state.attributes.end());
  std::sort(state.children.begin(), state.children.end(),
            [](const Node* a, const Node* b) { return a->tokens.begin < b->tokens.begin; });
  return c.finish(state.out, begin, state.children);
}

void DeclaratorParser::parse_level(State& state, Form form) {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  std::vector<DeclaratorChunk> pointers, suffixes, inner;
  parse_pointers(state, pointers);
  if (c.at(Tok::kIdentifier) && form != Form::kAbstract) {
    state.out->name = c.token().name;
    state.out->name_token = c.position();
    c.next();
  } else if (c.at(Tok::kLParen) && is_parenthesised(form)) {
    if (form == Form::kNamed && (c.peek(1).is(Tok::kRParen) || g_.starts_type(c.peek(1))))
      c.error_no_name(c.position());
    c.next();
    g_.attributes.parse(state.attributes);
    std::swap(inner, state.chunks);
    parse_level(state, form);
    std::swap(inner, state.chunks);
    c.expect(Tok::kRParen, "in a declarator");
  }
  parse_suffixes(state, suffixes);
  state.chunks.insert(state.chunks.end(), pointers.begin(), pointers.end());
  state.chunks.insert(state.chunks.end(), suffixes.rbegin(), suffixes.rend());
  state.chunks.insert(state.chunks.end(), inner.begin(), inner.end());
}

void DeclaratorParser::parse_pointers(State& state, std::vector<DeclaratorChunk>& chunks) {
  Cursor& c = g_.cursor;
  if (c.at(Tok::kAttribute)) g_.attributes.parse(state.attributes);
  while (c.at(Tok::kStar) || c.at(Tok::kCaret)) {  // ^: Clang's blocks, in headers of other systems
    DeclaratorChunk chunk;
    chunk.tokens.begin = c.position();
    c.next();
    chunk.qualifiers = g_.specifiers.qualifiers(state.children);
    chunk.tokens.end = c.position();
    chunks.push_back(chunk);
  }
}

// Whether '(' begins a declarator in parentheses and not the parameters of a function.
bool DeclaratorParser::is_parenthesised(Form form) const {
  if (form == Form::kNamed || form == Form::kField) return true;
  unsigned ahead = 1;
  while (g_.cursor.peek(ahead).is(Tok::kAttribute)) {  // (__attribute__((x)) *f)(int)
    unsigned depth = 0;
    do {
      ahead++;
      if (g_.cursor.peek(ahead).is(Tok::kLParen)) depth++;
      if (g_.cursor.peek(ahead).is(Tok::kRParen)) depth--;
    } while (depth > 0 && !g_.cursor.peek(ahead).is(Tok::kEnd));
    ahead++;
  }
  const Token& next = g_.cursor.peek(ahead);
  return !next.is(Tok::kRParen) && !next.is(Tok::kEllipsis) && !g_.starts_type(next);
}

void DeclaratorParser::parse_suffixes(State& state, std::vector<DeclaratorChunk>& chunks) {
  Cursor& c = g_.cursor;
  for (;;) {
    if (c.at(Tok::kLBracket)) {
      if (c.peek(1).is(Tok::kLBracket)) return g_.attributes.skip();
      chunks.push_back(array(state));
    } else if (c.at(Tok::kLParen)) {
      chunks.push_back(function(state));
    } else {
      return;
    }
    if (c.panicking()) return;
  }
}

// [], [*], [static const n], [n]
DeclaratorChunk DeclaratorParser::array(State& state) {
  Cursor& c = g_.cursor;
  DeclaratorChunk chunk;
  chunk.kind = DeclaratorChunk::Kind::kArray;
  chunk.tokens.begin = c.position();
  c.next();
  c.accept(Tok::kStatic);
  chunk.qualifiers = g_.specifiers.qualifiers(state.children);
  c.accept(Tok::kStatic);
  if (c.at(Tok::kStar) && c.peek(1).is(Tok::kRBracket)) {
    chunk.star_bound = true;
    c.next();
  } else if (!c.at(Tok::kRBracket)) {
    chunk.bound = g_.expressions.assignment();
    state.children.push_back(chunk.bound);
  }
  c.expect(Tok::kRBracket, "at the end of an array's bound");
  chunk.tokens.end = c.position();
  return chunk;
}

DeclaratorChunk DeclaratorParser::function(State& state) {
  Cursor& c = g_.cursor;
  DeclaratorChunk chunk;
  chunk.kind = DeclaratorChunk::Kind::kFunction;
  chunk.tokens.begin = c.position();
  c.next();
  const TypedefNames::Scope scope(g_.typedefs);
  if (c.at(Tok::kRParen) || parse_identifier_list(chunk)) {
    c.expect(Tok::kRParen, "at the end of parameters");
    chunk.tokens.end = c.position();
    return chunk;
  }
  chunk.prototyped = true;
  std::vector<Parameter*> parameters;
  while (!c.panicking()) {
    if (c.accept(Tok::kEllipsis)) {
      chunk.variadic = true;
      break;
    }
    parameters.push_back(parameter());
    if (!c.accept(Tok::kComma)) break;
  }
  c.expect(Tok::kRParen, "at the end of parameters");
  chunk.tokens.end = c.position();
  chunk.parameters = c.arena().copy(parameters);
  state.children.insert(state.children.end(), parameters.begin(), parameters.end());
  return chunk;
}

// f(a, b) of K&R: names that are no typedef names.
bool DeclaratorParser::parse_identifier_list(DeclaratorChunk& chunk) {
  Cursor& c = g_.cursor;
  if (!c.at(Tok::kIdentifier) || g_.starts_type(c.token()) || g_.is_undeclared_type(0, false)) return false;
  std::vector<NameId> names;
  do {
    if (!c.at(Tok::kIdentifier)) {
      c.error("a parameter's name");
      break;
    }
    names.push_back(c.token().name);
    c.next();
  } while (c.accept(Tok::kComma));
  chunk.names = c.arena().copy(names);
  return true;
}

Parameter* DeclaratorParser::parameter() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<Parameter>();
  g_.attributes.skip();
  Specifiers* specifiers = g_.specifiers.parse();
  if (specifiers->tokens.empty()) c.error("a parameter");
  Declarator* declarator = parse(Form::kParameter);
  if (declarator->name != 0)
    g_.typedefs.declare(declarator->name, false);
  else if (declarator->tokens.empty() && !specifiers->tokens.empty())
    g_.declarations.specifiers_end_in_name(*specifiers);
  return c.finish(node, begin, {specifiers, declarator});
}

}  // namespace upc2c

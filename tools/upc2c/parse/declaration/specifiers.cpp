// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/declaration/specifiers.hpp"

#include "tools/upc2c/diag/header_hints.hpp"
#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {
namespace {

unsigned qualifier_bit(Tok kind) {
  switch (kind) {
    case Tok::kConst:
      return kConst;
    case Tok::kVolatile:
      return kVolatile;
    case Tok::kRestrict:
      return kRestrict;
    case Tok::kAtomic:
      return kAtomic;
    case Tok::kShared:
      return kShared;
    case Tok::kStrict:
      return kStrict;
    case Tok::kRelaxed:
      return kRelaxed;
    default:
      return 0;
  }
}

}  // namespace

struct SpecifierParser::State {
  Specifiers* out;
  std::vector<Node*> children;
  std::vector<LayoutSpec> layouts;
  std::vector<Attribute*> attributes;
};

Specifiers* SpecifierParser::parse() {
  Cursor& c = g_.cursor;
  const Cursor::Nesting nesting(c);
  const TokenIndex begin = c.position();
  State state{c.make<Specifiers>(), {}, {}, {}};
  while (parse_one(state)) {
  }
  state.out->qualifiers.layouts = c.arena().copy(state.layouts);
  state.out->attributes = c.arena().copy(state.attributes);
  return c.finish(state.out, begin, state.children);
}

bool SpecifierParser::parse_one(State& state) {
  Cursor& c = g_.cursor;
  Specifiers& out = *state.out;
  const Token& token = c.token();
  switch (token.kind) {
    case Tok::kIdentifier:
      if (out.has_type()) return false;
      if (!g_.typedefs.is_typedef(token.name) && !undeclared_type()) return false;
      out.typedef_name = token.name;
      out.type_token = c.position();
      break;
    case Tok::kTypedef:
    case Tok::kExtern:
    case Tok::kStatic:
    case Tok::kAuto:
    case Tok::kRegister:
      if (out.storage != Tok::kEnd) c.report_at(c.position(), "two storage classes in one declaration");
      out.storage = token.kind;
      break;
    case Tok::kThreadLocal:
      out.thread_local_storage = true;
      break;
    case Tok::kInline:
      out.is_inline = true;
      break;
    case Tok::kNoreturn:
      out.is_noreturn = true;
      break;
    case Tok::kExtension:
      break;
    case Tok::kAutoType:
      out.auto_type = true;
      out.type_token = c.position();
      break;
    case Tok::kStruct:
    case Tok::kUnion:
    case Tok::kEnum:
      second_type(state);
      out.type_token = c.position();
      out.spec = token.is(Tok::kEnum) ? static_cast<Node*>(g_.structs.enumeration()) : g_.structs.record();
      state.children.push_back(out.spec);
      return true;
    case Tok::kTypeof:
      parse_typeof(state);
      return true;
    case Tok::kAlignas:
      parse_alignas(state);
      return true;
    case Tok::kAtomic:
      if (!c.peek(1).is(Tok::kLParen)) return parse_qualifier(state);
      parse_atomic(state);
      return true;
    case Tok::kAttribute: {
      const std::size_t before = state.attributes.size();
      g_.attributes.parse(state.attributes);
      state.children.insert(state.children.end(),
                            state.attributes.begin() + static_cast<std::ptrdiff_t>(before),
                            state.attributes.end());
      return true;
    }
    default:
      if (g_.attributes.at_attribute()) {
        g_.attributes.parse(state.attributes);
        return true;
      }
      return parse_qualifier(state) || parse_type_word(state, token.kind);
  }
  c.next();
  return true;
}

// Reports a type that is not declared, once, and takes it for one.
bool SpecifierParser::undeclared_type() {
  Cursor& c = g_.cursor;
  if (!g_.is_undeclared_type(0, false)) return false;
  const std::string_view text = c.stream().text(c.position());
  c.diagnostics().report(Diag::kUndeclared, c.position(), "type '%' is not declared%",
                         {text, header_hint(text)});
  g_.typedefs.declare(c.token().name, true);
  return true;
}

bool SpecifierParser::parse_qualifier(State& state) {
  Cursor& c = g_.cursor;
  const unsigned bit = qualifier_bit(c.token().kind);
  if (bit == 0) return false;
  QualifierList& list = state.out->qualifiers;
  if (list.quals == 0) list.tokens.begin = c.position();
  list.quals = static_cast<std::uint16_t>(list.quals | bit);
  if (bit == kShared)
    state.layouts.push_back(layout(state.children));
  else
    c.next();
  list.tokens.end = c.position();
  return true;
}

void SpecifierParser::second_type(State& state) {
  if (state.out->has_type()) g_.cursor.report_at(g_.cursor.position(), "two types in one declaration");
}

bool SpecifierParser::parse_type_word(State& state, Tok kind) {
  Specifiers& out = *state.out;
  TypeWords& words = out.words;
  switch (kind) {
    case Tok::kLong:
      words.longs++;
      break;
    case Tok::kShort:
      words.shorts++;
      break;
    case Tok::kSigned:
      words.signeds++;
      break;
    case Tok::kUnsigned:
      words.unsigneds++;
      break;
    case Tok::kComplex:
    case Tok::kImaginary:
      words.complexes++;
      break;
    default:
      if (kind < Tok::kVoid || kind > Tok::kDecimal128) return false;
      // glibc's headers for compilers without these types, Clang among them: typedef float _Float32;
      if (kind >= Tok::kFloat16 && out.storage == Tok::kTypedef && words.any() &&
          g_.cursor.peek(1).is(Tok::kSemicolon))
        break;
      if (words.base != Tok::kEnd || out.typedef_name != 0 || out.spec != nullptr) second_type(state);
      words.base = kind;
      break;
  }
  out.type_token = g_.cursor.position();
  g_.cursor.next();
  return true;
}

// typeof ( type-name ) or typeof ( expression )
void SpecifierParser::parse_typeof(State& state) {
  Cursor& c = g_.cursor;
  second_type(state);
  const TokenIndex begin = c.position();
  auto* spec = c.make<TypeofSpec>();
  c.next();
  Node* operand = nullptr;
  if (c.expect(Tok::kLParen, "behind 'typeof'")) {
    operand = g_.starts_type(c.token()) || c.at(Tok::kAttribute) ? static_cast<Node*>(type_name())
                                                                 : g_.expressions.comma();
    c.expect(Tok::kRParen, "at the end of 'typeof'");
  } else {
    operand = c.finish(c.make<ErrorExpr>(), begin, {});
  }
  state.out->type_token = begin;
  state.out->spec = c.finish(spec, begin, {operand});
  state.children.push_back(state.out->spec);
}

void SpecifierParser::parse_atomic(State& state) {
  Cursor& c = g_.cursor;
  second_type(state);
  const TokenIndex begin = c.position();
  auto* spec = c.make<AtomicSpec>();
  c.next();
  c.next();
  TypeName* type = type_name();
  c.expect(Tok::kRParen, "at the end of '_Atomic'");
  state.out->type_token = begin;
  state.out->spec = c.finish(spec, begin, {type});
  state.children.push_back(state.out->spec);
}

void SpecifierParser::parse_alignas(State& state) {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* spec = c.make<AlignasSpec>();
  c.next();
  Node* operand = nullptr;
  if (c.expect(Tok::kLParen, "behind '_Alignas'")) {
    operand = g_.starts_type(c.token()) ? static_cast<Node*>(type_name()) : g_.expressions.conditional();
    c.expect(Tok::kRParen, "at the end of '_Alignas'");
  } else {
    operand = c.finish(c.make<ErrorExpr>(), begin, {});
  }
  state.children.push_back(c.finish(spec, begin, {operand}));
}

// shared, shared [], shared [*], shared [expression]
LayoutSpec SpecifierParser::layout(std::vector<Node*>& children) {
  Cursor& c = g_.cursor;
  LayoutSpec out;
  out.tokens.begin = c.position();
  c.next();
  if (c.at(Tok::kLBracket)) {
    c.next();
    if (c.at(Tok::kRBracket)) {
      out.form = LayoutSpec::Form::kEmpty;
    } else if (c.at(Tok::kStar) && c.peek(1).is(Tok::kRBracket)) {
      out.form = LayoutSpec::Form::kStar;
      c.next();
    } else {
      out.form = LayoutSpec::Form::kSize;
      out.size = g_.expressions.conditional();
      children.push_back(out.size);
    }
    c.expect(Tok::kRBracket, "at the end of a layout qualifier");
  }
  out.tokens.end = c.position();
  return out;
}

QualifierList SpecifierParser::qualifiers(std::vector<Node*>& children) {
  Cursor& c = g_.cursor;
  QualifierList list;
  std::vector<LayoutSpec> layouts;
  list.tokens = {c.position(), c.position()};
  for (;;) {
    const unsigned bit = qualifier_bit(c.token().kind);
    if (bit != 0) {
      list.quals = static_cast<std::uint16_t>(list.quals | bit);
      if (bit == kShared)
        layouts.push_back(layout(children));
      else
        c.next();
      list.tokens.end = c.position();
    } else if (c.at(Tok::kAttribute)) {
      g_.attributes.skip();
    } else {
      break;
    }
  }
  list.layouts = c.arena().copy(layouts);
  return list;
}

TypeName* SpecifierParser::type_name() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<TypeName>();
  Specifiers* specifiers = parse();
  if (!specifiers->has_type() && specifiers->qualifiers.quals == 0) c.error("a type");
  Declarator* declarator = g_.declarators.parse(DeclaratorParser::Form::kAbstract);
  return c.finish(node, begin, {specifiers, declarator});
}

}  // namespace upc2c

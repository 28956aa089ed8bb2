// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/declaration/structs.hpp"

#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {

RecordSpec* StructParser::record() {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  const TokenIndex begin = c.position();
  auto* spec = c.make<RecordSpec>();
  spec->is_union = c.at(Tok::kUnion);
  c.next();
  std::vector<Attribute*> attributes;
  std::vector<Node*> children;
  g_.attributes.parse(attributes);
  if (c.at(Tok::kIdentifier)) {
    spec->tag = c.token().name;
    spec->tag_token = c.position();
    c.next();
    g_.attributes.parse(attributes);
  }
  children.assign(attributes.begin(), attributes.end());
  if (c.at(Tok::kLBrace)) {
    spec->defined = true;
    spec->body.begin = c.position();
    c.next();
    fields(children);
    spec->pack = g_.pragmas.pack(c.position());
    c.expect(Tok::kRBrace, "at the end of a structure");
    spec->body.end = c.position();
    const std::size_t before = attributes.size();
    g_.attributes.parse(attributes);
    children.insert(children.end(), attributes.begin() + static_cast<std::ptrdiff_t>(before),
                    attributes.end());
  } else if (spec->tag == 0) {
    c.error("a tag or '{' behind '" + std::string(spec->is_union ? "union" : "struct") + "'");
  }
  spec->attributes = c.arena().copy(attributes);
  return c.finish(spec, begin, children);
}

void StructParser::fields(std::vector<Node*>& children) {
  Cursor& c = g_.cursor;
  while (!c.at(Tok::kRBrace) && !c.at_end()) {
    const TokenIndex before = c.position();
    if (c.accept(Tok::kSemicolon)) continue;
    children.push_back(g_.declarations.at_static_assertion()
                           ? static_cast<Node*>(g_.declarations.static_assertion())
                           : field());
    if (c.panicking()) c.recover();
    if (c.position() == before) c.next();
  }
}

FieldDeclaration* StructParser::field() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<FieldDeclaration>();
  Specifiers* specifiers = g_.specifiers.parse();
  std::vector<Node*> children = {specifiers};
  if (!specifiers->has_type()) c.error("a type");
  while (!c.at(Tok::kSemicolon) && !c.panicking()) {
    children.push_back(g_.declarators.parse(DeclaratorParser::Form::kField));
    if (!c.accept(Tok::kComma)) break;
    g_.attributes.skip();
  }
  if (children.size() == 1 && specifiers->spec == nullptr) c.error_no_name(c.position());
  if (!c.at(Tok::kRBrace)) c.expect(Tok::kSemicolon, "behind a member");
  return c.finish(node, begin, children);
}

EnumSpec* StructParser::enumeration() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* spec = c.make<EnumSpec>();
  c.next();
  std::vector<Attribute*> attributes;
  std::vector<Node*> children;
  g_.attributes.parse(attributes);
  if (c.at(Tok::kIdentifier)) {
    spec->tag = c.token().name;
    spec->tag_token = c.position();
    c.next();
  }
  if (c.accept(Tok::kLBrace)) {
    spec->defined = true;
    while (!c.at(Tok::kRBrace) && !c.at_end() && !c.panicking()) {
      children.push_back(enumerator());
      if (!c.accept(Tok::kComma)) break;
    }
    c.expect(Tok::kRBrace, "at the end of an enumeration");
    g_.attributes.parse(attributes);
  } else if (spec->tag == 0) {
    c.error("a tag or '{' behind 'enum'");
  }
  spec->attributes = c.arena().copy(attributes);
  return c.finish(spec, begin, children);
}

Enumerator* StructParser::enumerator() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* node = c.make<Enumerator>();
  std::vector<Node*> children;
  if (is_upc_keyword(c.token().kind)) {
    c.report_keyword(begin);
    c.next();
    if (c.accept(Tok::kEqual)) children.push_back(g_.expressions.conditional());
  } else if (c.at(Tok::kIdentifier)) {
    node->name = c.token().name;
    c.next();
    g_.attributes.skip();
    if (c.accept(Tok::kEqual)) children.push_back(g_.expressions.conditional());
    g_.typedefs.declare(node->name, false);
  } else {
    c.error("a name");
  }
  return c.finish(node, begin, children);
}

}  // namespace upc2c

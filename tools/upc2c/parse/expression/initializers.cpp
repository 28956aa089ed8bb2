// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/expression/initializers.hpp"

#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {

Expr* InitializerParser::parse() { return g_.cursor.at(Tok::kLBrace) ? list() : g_.expressions.assignment(); }

InitList* InitializerParser::list() {
  Cursor& c = g_.cursor;
  Cursor::Nesting nesting(c);
  const TokenIndex begin = c.position();
  auto* node = c.make<InitList>();
  std::vector<Node*> items;
  c.next();
  while (!c.at(Tok::kRBrace) && !c.at_end() && !c.panicking()) {
    items.push_back(item());
    if (!c.accept(Tok::kComma)) break;
  }
  c.expect(Tok::kRBrace, "at the end of an initialiser");
  return c.finish(node, begin, items);
}

Expr* InitializerParser::item() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  const bool old_style = c.at(Tok::kIdentifier) && c.peek(1).is(Tok::kColon);
  if (!c.at(Tok::kDot) && !c.at(Tok::kLBracket) && !old_style) return parse();
  auto* node = c.make<DesignatedInit>();
  std::vector<Node*> children;
  if (old_style) {
    auto* field = c.make<FieldDesignator>();
    field->name = c.token().name;
    c.next();
    children.push_back(c.finish(field, begin, {}));
    c.next();
  } else {
    while (c.at(Tok::kDot) || c.at(Tok::kLBracket)) children.push_back(designator());
    // GNU: [3] value
    if (!c.accept(Tok::kEqual) && (children.size() != 1 || !children[0]->is(NodeKind::kRangeDesignator)))
      c.error("'=' behind a designator");
  }
  children.push_back(parse());
  return c.finish(node, begin, children);
}

Expr* InitializerParser::designator() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  if (c.accept(Tok::kDot)) {
    auto* field = c.make<FieldDesignator>();
    if (c.at(Tok::kIdentifier)) {
      field->name = c.token().name;
      c.next();
    } else {
      c.error("a member's name");
    }
    return c.finish(field, begin, {});
  }
  c.next();
  auto* range = c.make<RangeDesignator>();
  Expr* first = g_.expressions.conditional();
  Expr* last = c.accept(Tok::kEllipsis) ? g_.expressions.conditional() : nullptr;
  c.expect(Tok::kRBracket, "behind an index");
  return c.finish(range, begin, {first, last});
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/parse/declaration/attributes.hpp"

#include "tools/upc2c/parse/grammar.hpp"

namespace upc2c {
namespace {

// Attributes whose argument is kept as a token: it is no expression, or its text alone counts.
bool has_word(AttributeKind kind) {
  return kind == AttributeKind::kMode || kind == AttributeKind::kSection ||
         kind == AttributeKind::kStorageOrder || kind == AttributeKind::kCleanup;
}

AttributeKind attribute_kind(std::string_view word) {
  if (word.size() > 4 && word.starts_with("__") && word.ends_with("__"))
    word = word.substr(2, word.size() - 4);
  switch (word.empty() ? 0 : word[0]) {
    case 'p':
      return word == "packed" ? AttributeKind::kPacked : AttributeKind::kOther;
    case 'a':
      return word == "aligned" ? AttributeKind::kAligned : AttributeKind::kOther;
    case 'c':
      return word == "cleanup" ? AttributeKind::kCleanup : AttributeKind::kOther;
    case 'm':
      return word == "mode" ? AttributeKind::kMode : AttributeKind::kOther;
    case 'v':
      return word == "vector_size" ? AttributeKind::kVectorSize : AttributeKind::kOther;
    case 's':
      return word == "section"                ? AttributeKind::kSection
             : word == "scalar_storage_order" ? AttributeKind::kStorageOrder
                                              : AttributeKind::kOther;
    case 't':
      return word == "transparent_union" ? AttributeKind::kTransparentUnion : AttributeKind::kOther;
    case 'w':
      return word == "weak" ? AttributeKind::kWeak : AttributeKind::kOther;
    default:
      return AttributeKind::kOther;
  }
}

}  // namespace

bool AttributeParser::at_attribute() const {
  const Cursor& c = g_.cursor;
  return c.at(Tok::kAttribute) || (c.at(Tok::kLBracket) && c.peek(1).is(Tok::kLBracket));
}

void AttributeParser::parse(std::vector<Attribute*>& known) {
  Cursor& c = g_.cursor;
  while (at_attribute()) {
    if (!c.accept(Tok::kAttribute)) {
      c.skip_balanced();
      continue;
    }
    if (!c.expect(Tok::kLParen, "behind '__attribute__'") ||
        !c.expect(Tok::kLParen, "behind '__attribute__('"))
      return;
    parse_list(known);
    if (!c.expect(Tok::kRParen, "at the end of an attribute") ||
        !c.expect(Tok::kRParen, "at the end of an attribute"))
      return;
  }
}

void AttributeParser::skip() {
  if (!at_attribute()) return;
  std::vector<Attribute*> ignored;
  parse(ignored);
}

void AttributeParser::parse_list(std::vector<Attribute*>& known) {
  Cursor& c = g_.cursor;
  while (!c.at(Tok::kRParen) && !c.at_end()) {
    if (!c.at(Tok::kComma)) parse_one(known);
    if (c.at(Tok::kRParen)) return;
    if (!c.expect(Tok::kComma, "between attributes")) return;
  }
}

// A word, which can be any keyword, and arguments.
void AttributeParser::parse_one(std::vector<Attribute*>& known) {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  const AttributeKind kind = attribute_kind(c.stream().text(begin));
  c.next();
  if (kind == AttributeKind::kOther) {
    if (c.at(Tok::kLParen)) c.skip_balanced();
    return;
  }
  auto* attribute = c.make<Attribute>();
  attribute->attribute = kind;
  std::vector<Node*> arguments;
  if (c.at(Tok::kLParen)) {
    if (has_word(kind)) {
      attribute->word = c.position() + 1;
      c.skip_balanced();
    } else {
      c.next();
      if (!c.at(Tok::kRParen)) arguments.push_back(g_.expressions.assignment());
      c.expect(Tok::kRParen, "behind an attribute's argument");
    }
  }
  known.push_back(c.finish(attribute, begin, arguments));
}

void AttributeParser::parse_after_declarator(std::vector<Attribute*>& known) {
  Cursor& c = g_.cursor;
  parse(known);
  while (c.at(Tok::kAsm)) {
    c.next();
    if (c.at(Tok::kLParen)) c.skip_balanced();
    parse(known);
  }
}

Stmt* AttributeParser::asm_statement() {
  Cursor& c = g_.cursor;
  const TokenIndex begin = c.position();
  auto* statement = c.make<AsmStmt>();
  c.next();
  while (c.at(Tok::kVolatile) || c.at(Tok::kInline) || c.at(Tok::kGoto) || c.at(Tok::kConst)) c.next();
  std::vector<Node*> operands;
  if (c.expect(Tok::kLParen, "behind 'asm'")) {
    while (c.at(Tok::kString)) c.next();
    for (unsigned section = 0; c.accept(Tok::kColon); section++) {
      if (section < 2)
        asm_operands(operands);
      else
        while (!c.at(Tok::kColon) && !c.at(Tok::kRParen) && !c.at_end()) c.next();
      if (section == 0) statement->output_count = static_cast<std::uint32_t>(operands.size());
    }
    c.expect(Tok::kRParen, "at the end of 'asm'");
  }
  c.expect(Tok::kSemicolon, "behind 'asm (...)'");
  return c.finish(statement, begin, operands);
}

// [name] "constraint" (expression), ...
void AttributeParser::asm_operands(std::vector<Node*>& operands) {
  Cursor& c = g_.cursor;
  while (c.at(Tok::kString) || c.at(Tok::kLBracket)) {
    if (c.at(Tok::kLBracket)) c.skip_balanced();
    while (c.at(Tok::kString)) c.next();
    if (!c.expect(Tok::kLParen, "behind a constraint")) return;
    operands.push_back(g_.expressions.comma());
    if (!c.expect(Tok::kRParen, "behind an operand")) return;
    if (!c.accept(Tok::kComma)) return;
  }
}

}  // namespace upc2c

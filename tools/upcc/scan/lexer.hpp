// SPDX-License-Identifier: BSD-3-Clause
// A lexer for C: as many of C's lexical rules as it takes to find names. It never fails; text that is not C
// becomes tokens of single characters.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace upcc {

enum class TokenKind { kName, kNumber, kString, kPunct, kDirective };

struct Token {
  TokenKind kind;
  // In the source; of a digraph such as "<%" what it stands for. A directive is whole, from '#' to the end of
  // its last line.
  std::string_view text;
  int line;  // physical, of its first character, from 1

  bool is(std::string_view t) const { return text == t; }
  bool name() const { return kind == TokenKind::kName; }
};

// The tokens without comments and white space. `text` must outlive them.
std::vector<Token> tokens_of(std::string_view text);

// The parts of a preprocessing directive: "#  include <x.h>" gives {"include", "<x.h>"}, comments removed
// from the ends of the rest. A line marker ("# 12 "f.c"") has keyword "line".
struct Directive {
  std::string_view keyword, rest;
};
Directive directive_of(std::string_view text);

}  // namespace upcc

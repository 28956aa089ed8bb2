// SPDX-License-Identifier: BSD-3-Clause
// See lexer.hpp.
#include "tools/upcc/scan/lexer.hpp"

#include <cctype>

namespace upcc {
namespace {

using std::string_view;

// A byte of UTF-8 is a letter; in names that gcc has preprocessed it is an escape, \U000000e9.
bool begins_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool in_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)); }

class Lexer {
 public:
  explicit Lexer(string_view text) : text_(text) {}

  std::vector<Token> tokenize() {
    while (skip_blank(), at_ < text_.size()) {
      const std::size_t begin = at_;
      const int line = line_;
      const TokenKind kind = token();
      tokens_.push_back({kind, plain(text_.substr(begin, at_ - begin)), line});
      line_starts_ = false;
    }
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    if (peek() == '\n') ++line_;
    ++at_;
  }

  // The length of a backslash-newline at the current position, or 0.
  std::size_t splice() const {
    if (peek() != '\\') return 0;
    if (peek(1) == '\n') return 2;
    return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
  }

  bool skip_comment() {
    if (peek() != '/' || (peek(1) != '*' && peek(1) != '/')) return false;
    const bool block = peek(1) == '*';
    at_ += 2;
    if (block) {
      while (at_ < text_.size() && !(peek() == '*' && peek(1) == '/')) step();
      at_ = at_ + 2 > text_.size() ? text_.size() : at_ + 2;
    } else {
      while (at_ < text_.size() && peek() != '\n') {
        for (std::size_t n = splice(); n > 0; --n) step();
        if (at_ < text_.size() && peek() != '\n') step();
      }
    }
    return true;
  }

  void skip_blank() {
    while (at_ < text_.size()) {
      if (peek() == '\n') {
        line_starts_ = true;
        step();
      } else if (std::isspace(static_cast<unsigned char>(peek()))) {
        step();
      } else if (const std::size_t n = splice()) {
        for (std::size_t i = 0; i < n; ++i) step();
      } else if (!skip_comment()) {
        return;
      }
    }
  }

  void literal(char quote) {
    step();
    while (at_ < text_.size() && peek() != quote && peek() != '\n') {
      if (peek() == '\\') step();
      step();
    }
    if (peek() == quote) step();
  }

  void directive() {
    while (at_ < text_.size() && peek() != '\n') {
      if (const std::size_t n = splice()) {
        for (std::size_t i = 0; i < n; ++i) step();
      } else if (peek() == '"' || peek() == '\'') {
        literal(peek());
      } else if (peek() == '/' && peek(1) == '*') {
        skip_comment();
      } else {
        step();
      }
    }
  }

  TokenKind token() {
    const char c = peek();
    if (c == '#' && line_starts_) {
      directive();
      return TokenKind::kDirective;
    }
    if (begins_name(c) || at_escape()) {
      while (in_name(peek()) || at_escape()) step();
      return TokenKind::kName;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) ||
        (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
      while (in_name(peek()) || peek() == '.' || ((peek() == '+' || peek() == '-') && exponent_before()))
        step();
      return TokenKind::kNumber;
    }
    if (c == '"' || c == '\'') {
      literal(c);
      return TokenKind::kString;
    }
    const string_view two = text_.substr(at_, 2);
    at_ += two == "->" || plain(two) != two ? 2 : 1;
    return TokenKind::kPunct;
  }

  // What a digraph stands for; other texts as they are.
  static string_view plain(string_view text) {
    if (text == "<%") return "{";
    if (text == "%>") return "}";
    if (text == "<:") return "[";
    if (text == ":>") return "]";
    return text;
  }

  bool at_escape() const { return peek() == '\\' && (peek(1) == 'u' || peek(1) == 'U'); }

  bool exponent_before() const {
    const char c = text_[at_ - 1];
    return c == 'e' || c == 'E' || c == 'p' || c == 'P';
  }

  string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_starts_ = true;
  std::vector<Token> tokens_;
};

string_view trim(string_view s) {
  constexpr string_view kBlank = " \t\r\n\f\v";
  const std::size_t begin = s.find_first_not_of(kBlank);
  return begin == string_view::npos ? string_view() : s.substr(begin, s.find_last_not_of(kBlank) - begin + 1);
}

// `s` without the comments and blanks that it begins with.
string_view skip_front(string_view s) {
  for (;;) {
    s = trim(s);
    if (s.substr(0, 2) != "/*") return s;
    const std::size_t end = s.find("*/", 2);
    if (end == string_view::npos) return {};
    s.remove_prefix(end + 2);
  }
}

}  // namespace

std::vector<Token> tokens_of(string_view text) { return Lexer(text).tokenize(); }

Directive directive_of(string_view text) {
  string_view s = skip_front(text.substr(1));
  std::size_t end = 0;
  while (end < s.size() && begins_name(s[end])) ++end;
  Directive d{s.substr(0, end), skip_front(s.substr(end))};
  if (end == 0 && !s.empty() && std::isdigit(static_cast<unsigned char>(s[0]))) return {"line", s};
  for (string_view mark :
       {"//", "/*"})  // removes a comment at the end; names of #include may have "//" inside
    if (const std::size_t at = d.rest.rfind(mark);
        at != string_view::npos && d.keyword != "include" && d.keyword != "line")
      d.rest = trim(d.rest.substr(0, at));
  return d;
}

}  // namespace upcc

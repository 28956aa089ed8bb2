// SPDX-License-Identifier: BSD-3-Clause
// The lexer: preprocessed text (cc -E -dD -dI) to an array of tokens, in which lines of the preprocessor do
// not occur. Pragmas that concern the translator and directives stand in lists of their own, by the token
// that they precede.
//
// What comes out can be spliced: text(range) is the input from the first byte of a range of tokens to its
// last, and gap(i) is what stands before token i.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upc2c/text/lines.hpp"
#include "tools/upc2c/text/names.hpp"
#include "tools/upc2c/text/token.hpp"

namespace upc2c {

enum class PragmaKind : std::uint8_t {
  kStrict,      // #pragma upc strict
  kRelaxed,     // #pragma upc relaxed
  kCCode,       // #pragma upc c_code
  kUpcCode,     // #pragma upc upc_code
  kUpcUnknown,  // #pragma upc and another word
  kPupc,        // #pragma pupc
  kPack,        // #pragma pack
  kLoop,        // #pragma omp for and others that belong to the loop behind them
  kLoopHint,    // #pragma GCC ivdep and others of the loop behind them, which is correct without
  kOther,
};

struct Pragma {
  PragmaKind kind;
  TokenIndex before;  // the token that follows
  std::uint32_t offset, length;
  Origin origin;
};

enum class DirectiveKind : std::uint8_t { kLineMarker, kInclude, kDefine, kUndef, kOther };

struct Directive {
  DirectiveKind kind;
  TokenIndex before;
  std::uint32_t offset, length;  // without the newline
  Origin origin;
};

// The input with its tokens. Immovable: names and tokens point into its text.
class TokenStream {
 public:
  // `name`: of the file for messages, until the first line marker.
  TokenStream(std::string text, std::string name);
  TokenStream(const TokenStream&) = delete;
  TokenStream& operator=(const TokenStream&) = delete;

  std::string_view input() const { return text_; }
  // The last one is Tok::kEnd, at the end of the input.
  const std::vector<Token>& tokens() const { return tokens_; }
  const Token& token(TokenIndex i) const { return tokens_[i]; }
  const std::vector<Pragma>& pragmas() const { return pragmas_; }
  const std::vector<Directive>& directives() const { return directives_; }
  const LineTable& lines() const { return lines_; }
  NameTable& names() { return names_; }
  const NameTable& names() const { return names_; }

  std::string_view text(TokenIndex i) const { return input().substr(tokens_[i].offset, tokens_[i].length); }
  std::string_view text(TokenRange range) const;
  std::string_view text(const Pragma& p) const { return input().substr(p.offset, p.length); }
  std::string_view text(const Directive& d) const { return input().substr(d.offset, d.length); }
  // White space, comments and directives between token i and the one before it (or the beginning).
  std::string_view gap(TokenIndex i) const;
  Place place(TokenIndex i) const { return lines_.place(tokens_[i].offset); }
  // Whether the token stands between #pragma upc c_code and upc_code.
  bool in_c_code(TokenIndex i) const;
  // Whether a keyword of UPC is among the tokens.
  bool has_upc_keyword(TokenRange range) const { return upc_before_[range.end] != upc_before_[range.begin]; }

 private:
  friend class Lexer;
  std::string text_;
  NameTable names_;
  Keywords keywords_;
  LineTable lines_;
  std::vector<Token> tokens_;
  std::vector<std::uint32_t> upc_before_;  // number of UPC keywords before token i
  std::vector<Pragma> pragmas_;
  std::vector<Directive> directives_;
};

}  // namespace upc2c

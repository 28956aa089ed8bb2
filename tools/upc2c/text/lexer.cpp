// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/text/lexer.hpp"

#include <array>
#include <cstring>

#include "tools/upc2c/text/directive.hpp"
#include "tools/upc2c/text/upc_headers.hpp"

namespace upc2c {
namespace {

enum CharClass : std::uint8_t { kNone, kBlank, kLetter, kDigit };

constexpr std::array<CharClass, 256> char_classes() {
  std::array<CharClass, 256> table{};
  for (int c = 0; c < 256; c++) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') table[c] = kBlank;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80)
      table[c] = kLetter;
    if (c >= '0' && c <= '9') table[c] = kDigit;
  }
  return table;
}
constexpr auto kClass = char_classes();
CharClass class_of(char c) { return kClass[static_cast<unsigned char>(c)]; }

struct Punctuator {
  char text[4];
  Tok kind;
};
/* clang-format off */
constexpr Punctuator kPunctuators[] = {  // longer ones before their beginnings
  {"...", Tok::kEllipsis}, {"<<=", Tok::kShiftLeftEqual}, {">>=", Tok::kShiftRightEqual},
  {"->", Tok::kArrow}, {"++", Tok::kPlusPlus}, {"--", Tok::kMinusMinus}, {"<<", Tok::kShiftLeft}, {">>", Tok::kShiftRight},
  {"<=", Tok::kLessEqual}, {">=", Tok::kGreaterEqual}, {"==", Tok::kEqualEqual}, {"!=", Tok::kBangEqual},
  {"&&", Tok::kAmpAmp}, {"||", Tok::kPipePipe}, {"+=", Tok::kPlusEqual}, {"-=", Tok::kMinusEqual}, {"*=", Tok::kStarEqual},
  {"/=", Tok::kSlashEqual}, {"%=", Tok::kPercentEqual}, {"&=", Tok::kAmpEqual}, {"|=", Tok::kPipeEqual},
  {"^=", Tok::kCaretEqual}, {"<:", Tok::kLBracket}, {":>", Tok::kRBracket}, {"<%", Tok::kLBrace}, {"%>", Tok::kRBrace},
  {"%:", Tok::kHash},
  {"(", Tok::kLParen}, {")", Tok::kRParen}, {"[", Tok::kLBracket}, {"]", Tok::kRBracket}, {"{", Tok::kLBrace},
  {"}", Tok::kRBrace}, {";", Tok::kSemicolon}, {",", Tok::kComma}, {".", Tok::kDot}, {":", Tok::kColon},
  {"?", Tok::kQuestion}, {"+", Tok::kPlus}, {"-", Tok::kMinus}, {"*", Tok::kStar}, {"/", Tok::kSlash},
  {"%", Tok::kPercent}, {"&", Tok::kAmp}, {"|", Tok::kPipe}, {"^", Tok::kCaret}, {"~", Tok::kTilde}, {"!", Tok::kBang},
  {"<", Tok::kLess}, {">", Tok::kGreater}, {"=", Tok::kEqual}, {"#", Tok::kHash},
};
/* clang-format on */

// The first entry of kPunctuators that begins with a character, or -1.
constexpr std::array<std::int8_t, 128> punctuator_starts() {
  std::array<std::int8_t, 128> table{};
  for (auto& entry : table) entry = -1;
  for (std::size_t i = std::size(kPunctuators); i > 0; i--)
    table[static_cast<int>(kPunctuators[i - 1].text[0])] = static_cast<std::int8_t>(i - 1);
  return table;
}
constexpr auto kPunctuatorStart = punctuator_starts();

}  // namespace

// Reads the text of a stream once. The text ends with a zero byte, so that one character can always be looked
// at.
class Lexer {
 public:
  explicit Lexer(TokenStream& out)
      : out_(out), begin_(out.text_.data()), at_(begin_), end_(begin_ + out.text_.size()) {}

  void run() {
    out_.tokens_.reserve(out_.text_.size() / 6 + 16);
    out_.upc_before_.reserve(out_.text_.size() / 6 + 17);
    while (skip_blanks()) read_token();
    add(Tok::kEnd, end_, 0);
    out_.upc_before_.push_back(upc_words_);
  }

 private:
  // False at the end. Lines of the preprocessor are read here.
  bool skip_blanks() {
    for (;;) {
      if (at_ >= end_) return false;
      if (*at_ == '\n') {
        line_start_ = true;
        at_++;
      } else if (class_of(*at_) == kBlank) {
        at_++;
      } else if (*at_ == '/' && (at_[1] == '*' || at_[1] == '/')) {
        skip_comment();
      } else if (*at_ == '\\' && at_[1] == '\n') {
        at_ += 2;
      } else if (*at_ == '#' && line_start_) {
        read_directive();
      } else {
        return true;
      }
    }
  }

  // gcc -E -C and -CC keep comments.
  void skip_comment() {
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    const std::size_t stop = at_[1] == '*' ? rest.find("*/", 2) : rest.find('\n');
    at_ = stop == std::string_view::npos ? end_ : at_ + stop + (at_[1] == '*' ? 2 : 0);
  }

  void read_directive() {
    const char* stop = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
    if (stop == nullptr) stop = end_;
    const std::string_view line(at_, static_cast<std::size_t>(stop - at_));
    const auto offset = static_cast<std::uint32_t>(at_ - begin_);
    const auto next = static_cast<TokenIndex>(out_.tokens_.size());
    const Origin origin = out_.lines_.origin();
    const DirectiveLine parsed = parse_directive(line);
    if (parsed.is_pragma) {
      const Pragma pragma{parsed.pragma, next, offset, static_cast<std::uint32_t>(line.size()), origin};
      if (pragma.kind == PragmaKind::kCCode) c_code_ = true;
      if (pragma.kind == PragmaKind::kUpcCode) c_code_ = false;
      out_.pragmas_.push_back(pragma);
    } else {
      out_.directives_.push_back(
          {parsed.kind, next, offset, static_cast<std::uint32_t>(line.size()), origin});
      if (parsed.kind == DirectiveKind::kLineMarker)
        out_.lines_.mark(static_cast<std::uint32_t>(stop - begin_) + (stop < end_ ? 1 : 0), parsed.line,
                         parsed.file, parsed.enters, parsed.returns, parsed.system);
    }
    after_directive_ = true;
    at_ = stop;
  }

  void read_token() {
    const char* from = at_;
    switch (class_of(*at_)) {
      case kLetter:
        read_word(from);
        return;
      case kDigit:
        read_number(from);
        return;
      default:
        break;
    }
    if (*at_ == '.' && class_of(at_[1]) == kDigit) return read_number(from);
    if (*at_ == '"' || *at_ == '\'') return read_quoted(from);
    if (*at_ == '\\' && (at_[1] == 'u' || at_[1] == 'U')) return read_word(from);
    read_punctuator(from);
  }

  void read_word(const char* from) {
    for (;;) {
      while (class_of(*at_) >= kLetter) at_++;
      if (*at_ != '\\' || (at_[1] != 'u' && at_[1] != 'U')) break;
      at_ += 2;  // a universal character name
    }
    const std::string_view word(from, static_cast<std::size_t>(at_ - from));
    if ((*at_ == '"' || *at_ == '\'') &&
        (word == "L" || word == "u" || word == "U" || (word == "u8" && *at_ == '"')))
      return read_quoted(from);
    const NameId name = out_.names_.intern(word);
    Tok kind = out_.keywords_.kind(name);
    if (is_upc_keyword(kind) && (c_code_ || out_.lines_.origin() == Origin::kSystem)) kind = Tok::kIdentifier;
    add(kind, from, name);
    if (is_upc_keyword(kind)) upc_words_++;
  }

  void read_number(const char* from) {
    for (;;) {
      if ((*at_ == '+' || *at_ == '-') &&
          (at_[-1] == 'e' || at_[-1] == 'E' || at_[-1] == 'p' || at_[-1] == 'P') && at_ > from)
        at_++;
      else if (class_of(*at_) >= kLetter || *at_ == '.')
        at_++;
      else
        break;
    }
    add(Tok::kNumber, from, 0);
  }

  // An unterminated constant ends with its line.
  void read_quoted(const char* from) {
    const char quote = *at_++;
    while (at_ < end_ && *at_ != quote && *at_ != '\n') at_ += *at_ == '\\' && at_ + 1 < end_ ? 2 : 1;
    if (at_ < end_ && *at_ == quote) at_++;
    add(quote == '"' ? Tok::kString : Tok::kCharacter, from, 0);
  }

  void read_punctuator(const char* from) {
    const auto c = static_cast<unsigned char>(*at_);
    const int start = c < 128 ? kPunctuatorStart[c] : -1;
    for (std::size_t i = start < 0 ? std::size(kPunctuators) : static_cast<std::size_t>(start);
         i < std::size(kPunctuators); i++) {
      const char* text = kPunctuators[i].text;
      if (text[0] != *at_ || (text[1] != 0 && text[1] != at_[1])) continue;
      if (text[1] != 0 && text[2] != 0 && (at_ + 2 >= end_ || text[2] != at_[2])) continue;
      at_ += std::strlen(text);
      return add(kPunctuators[i].kind, from, 0);
    }
    at_++;
    add(Tok::kOther, from, 0);
  }

  void add(Tok kind, const char* from, NameId name) {
    Token token;
    token.offset = static_cast<std::uint32_t>(from - begin_);
    token.length = static_cast<std::uint32_t>(at_ - from);
    token.name = name;
    token.kind = kind;
    token.origin = out_.lines_.origin();
    token.first_on_line = line_start_;
    token.after_directive = after_directive_;
    line_start_ = after_directive_ = false;
    out_.tokens_.push_back(token);
    out_.upc_before_.push_back(upc_words_);
  }

  TokenStream& out_;
  const char *begin_, *at_, *end_;
  bool line_start_ = true, after_directive_ = false, c_code_ = false;
  std::uint32_t upc_words_ = 0;
};

TokenStream::TokenStream(std::string text, std::string name)
    : text_(std::move(text)), keywords_(names_), lines_(text_, std::move(name)) {
  lines_.set_program_headers(upc_headers(text_));
  Lexer(*this).run();
}

std::string_view TokenStream::text(TokenRange range) const {
  if (range.empty()) return {};
  const Token &first = tokens_[range.begin], &last = tokens_[range.end - 1];
  return input().substr(first.offset, last.offset + last.length - first.offset);
}

bool TokenStream::in_c_code(TokenIndex i) const {
  bool c_code = false;
  for (const Pragma& pragma : pragmas_) {
    if (pragma.before > i) break;
    if (pragma.kind == PragmaKind::kCCode) c_code = true;
    if (pragma.kind == PragmaKind::kUpcCode) c_code = false;
  }
  return c_code;
}

std::string_view TokenStream::gap(TokenIndex i) const {
  const std::uint32_t from = i == 0 ? 0 : tokens_[i - 1].offset + tokens_[i - 1].length;
  return input().substr(from, tokens_[i].offset - from);
}

}  // namespace upc2c

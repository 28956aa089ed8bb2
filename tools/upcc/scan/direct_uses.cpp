// SPDX-License-Identifier: BSD-3-Clause
// find_direct_uses() of scan.hpp. Translators write declarations in few forms, so one pass over the tokens
// that knows scopes and these forms can tell the use of a global from a local variable of the same name. In
// doubt a name counts as used: then a program may be refused, with a message, but never share a variable by
// mistake.
#include <algorithm>
#include <charconv>
#include <set>

#include "tools/upcc/scan/scan.hpp"

namespace upcc {
namespace {

using std::string_view;
using Tokens = std::vector<Token>;

// Keywords that stand before an expression, so that "KEYWORD name" is no declaration.
bool precedes_expression(string_view token) {
  static constexpr string_view kKeywords[] = {
      "return", "else",          "goto",     "case",        "sizeof",
      "do",     "__extension__", "_Alignof", "__alignof__", "__builtin_va_arg",
      "typeof", "__typeof__"};
  return std::find(std::begin(kKeywords), std::end(kKeywords), token) != std::end(kKeywords);
}

bool is_aggregate_keyword(string_view token) {
  return token == "struct" || token == "union" || token == "enum";
}

class DirectUseFinder {
 public:
  DirectUseFinder(const Tokens& tokens, const SourceInfo& source) : t_(tokens) {
    for (const auto& [name, definition] : source.tld) watched_.insert(name);
    watched_.insert(source.tld_addresses.begin(), source.tld_addresses.end());
    // Some translators define it as a plain global; it is per thread only behind UPCR_TLD_ADDR.
    watched_.insert({"upcr_forall_control", "upcrt_forall_control"});
  }

  std::vector<DirectUse> find() {
    for (at_ = 0; at_ < t_.size(); ++at_) {
      if (t_[at_].kind == TokenKind::kDirective) {
        line_marker(directive_of(t_[at_].text));
        if (scopes_.empty() && header_ == at_) header_ = at_ + 1;
      } else if (t_[at_].is("{")) {
        open();
      } else if (t_[at_].is("}")) {
        close();
      } else if (t_[at_].is(";")) {
        if (scopes_.empty() && !(at_ + 1 < t_.size() && old_style_follows())) header_ = at_ + 1;
        statement_ = at_ + 1;
      } else if (t_[at_].name()) {
        name();
      }
    }
    return std::move(uses_);
  }

 private:
  // Records the file and line that #line, or the preprocessor's line marker, gives the next line.
  void line_marker(const Directive& directive) {
    if (directive.keyword != "line") return;
    int number = 0;
    if (std::from_chars(directive.rest.begin(), directive.rest.end(), number).ec != std::errc()) return;
    shift_ = number - (t_[at_].line + 1);
    const std::size_t open = directive.rest.find('"'), close = directive.rest.rfind('"');
    if (open != string_view::npos && close > open) file_ = directive.rest.substr(open + 1, close - open - 1);
  }

  bool is_watched(string_view text) const {
    return watched_.count(text) != 0 ||
           (text.find('\\') != string_view::npos && watched_.count(tld_name(text)) != 0);
  }
  bool is(std::size_t i, string_view text) const { return i < t_.size() && t_[i].is(text); }
  // The token before i, or an empty one at the start.
  string_view before(std::size_t i, std::size_t distance = 1) const {
    return i >= distance ? t_[i - distance].text : string_view();
  }

  void skip_to_close() {
    int depth = 0;
    for (; at_ < t_.size(); ++at_) {
      if (t_[at_].is("{")) ++depth;
      if (t_[at_].is("}") && --depth == 0) return;
    }
  }

  // Whether, at file scope, the tokens from "f(a, b)" on declare old-style parameters, before the "{" of the
  // body.
  bool old_style_follows() const {
    for (std::size_t i = header_; i + 1 < at_; ++i)
      if (t_[i].is(")") && t_[i + 1].name() && !t_[i + 1].is("__attribute__") && !t_[i + 1].is("__asm__"))
        return true;
    return false;
  }

  void open() {
    const string_view previous = before(at_);
    if (is_aggregate_keyword(previous) ||
        (at_ >= 2 && t_[at_ - 1].name() && is_aggregate_keyword(before(at_, 2)))) {
      skip_to_close();  // members
      return;
    }
    if (scopes_.empty() && previous != ")" && previous != ";") {
      skip_to_close();  // an initialiser, in which addresses are the first thread's in any case
      return;
    }
    const bool function = scopes_.empty();
    scopes_.emplace_back();
    if (function) declare_parameters();
    statement_ = at_ + 1;
  }

  void close() {
    if (!scopes_.empty()) scopes_.pop_back();
    statement_ = at_ + 1;
    if (scopes_.empty()) header_ = at_ + 1;
  }

  void declare_parameters() {
    for (std::size_t i = header_; i < at_; ++i) {
      if (!t_[i].name() || !is_watched(t_[i].text)) continue;
      const string_view next = i + 1 < t_.size() ? t_[i + 1].text : string_view();
      if (next == "," || next == ")" || next == "[" || next == ";") scopes_.back().insert(t_[i].text);
    }
  }

  bool is_local(string_view name) const {
    return std::any_of(scopes_.begin(), scopes_.end(),
                       [name](const auto& scope) { return scope.count(name) != 0; });
  }

  // Whether the name at i is declared by its statement, which begins behind the last ; { or }.
  bool declares(std::size_t i) const {
    std::size_t k = i;
    while (k > statement_ &&
           (is(k - 1, "*") || is(k - 1, "const") || is(k - 1, "volatile") || is(k - 1, "restrict") ||
            is(k - 1, "UPCR_RESTRICT") || is(k - 1, "__restrict__")))
      --k;
    if (k == i) {  // "type name"
      if (i > statement_ && (t_[i - 1].name() || before(i) == "}")) return !precedes_expression(before(i));
      if (before(i) == "," && i > statement_) return declaration_before(i - 1);
      return false;
    }
    if (is(k - 1, "(") && is(i + 1, ")") && is(i + 2, "(")) return only_types(k - 1);  // "type (*name)("
    if (is(k - 1, ",") && k > statement_) return declaration_before(k - 1);
    if (t_[k].is("const") || t_[k].is("volatile")) return true;
    return only_types(k);  // "type * name" as a statement of its own
  }

  // Whether only type names stand between the start of the statement (or the parenthesis of a for) and `end`.
  bool only_types(std::size_t end) const {
    std::size_t k = end;
    while (k > statement_ && t_[k - 1].name()) --k;
    const bool starts = k == statement_ || (is(k - 1, "(") && before(k - 1) == "for");
    return k < end && starts && !precedes_expression(t_[k].text);
  }

  // Whether the comma at `comma` continues a declaration, as in "int a = 1, *b".
  bool declaration_before(std::size_t comma) const {
    if (statement_ + 1 >= comma || !t_[statement_].name()) return false;
    int depth = 0;
    for (std::size_t k = statement_; k < comma; ++k) {
      if (t_[k].is("(") || t_[k].is("[") || t_[k].is("{")) ++depth;
      if (t_[k].is(")") || t_[k].is("]") || t_[k].is("}")) --depth;
    }
    if (depth != 0) return false;
    std::size_t k = statement_ + 1;
    while (k < comma && t_[k].is("*")) ++k;
    return t_[k].name() && !precedes_expression(t_[statement_].text);
  }

  void skip_parentheses() {
    int depth = 0;
    for (++at_; at_ < t_.size(); ++at_) {
      if (t_[at_].is("(")) ++depth;
      if (t_[at_].is(")") && --depth == 0) return;
    }
  }

  void name() {
    const Token& token = t_[at_];
    if ((token.text.substr(0, 9) == "UPCR_TLD_" || token.text.substr(0, 10) == "UPCRI_TLD_" ||
         token.is("__builtin_offsetof")) &&
        is(at_ + 1, "(")) {
      skip_parentheses();
      return;
    }
    if (scopes_.empty() || !is_watched(token.text)) return;
    const string_view previous = before(at_);
    if (previous == "." || previous == "->" || previous == "goto" || is_aggregate_keyword(previous) ||
        is_unevaluated())
      return;
    if (is(at_ + 1, ":") && (previous == ";" || previous == "{" || previous == "}")) return;  // a label
    if (declares(at_)) {
      if (!is(statement_, "extern")) scopes_.back().insert(token.text);
      return;
    }
    if (is_local(token.text)) return;
    const std::string used = tld_name(token.text);
    if (std::none_of(uses_.begin(), uses_.end(), [&used](const DirectUse& u) { return u.name == used; }))
      uses_.push_back({used, std::string(file_), token.line + shift_});
  }

  // The operands of sizeof and typeof are not evaluated.
  bool is_unevaluated() const {
    const string_view keyword = before(at_) == "(" ? before(at_, 2) : before(at_);
    return keyword == "sizeof" || keyword == "typeof" || keyword == "__typeof__";
  }

  const Tokens& t_;
  std::set<std::string, std::less<>> watched_;
  std::size_t at_ = 0;
  std::size_t header_ = 0;  // at file scope: where the present declaration began
  string_view file_;        // of the presumed location (#line); shift_ is added to physical lines
  int shift_ = 0;
  std::size_t statement_ = 0;  // in a body: where the present statement began
  std::vector<std::set<string_view>> scopes_;
  std::vector<DirectUse> uses_;
};

}  // namespace

std::vector<DirectUse> find_direct_uses(const Tokens& tokens, const SourceInfo& source) {
  return DirectUseFinder(tokens, source).find();
}

}  // namespace upcc

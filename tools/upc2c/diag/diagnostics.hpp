// SPDX-License-Identifier: BSD-3-Clause
// Messages about the input: collected while it is read, printed at the end (render.hpp).
#pragma once
#include <deque>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tools/upc2c/diag/ids.hpp"
#include "tools/upc2c/text/token.hpp"

namespace upc2c {

// A caret with what is underlined around it.
struct Mark {
  enum class Spot : std::uint8_t { kToken, kBehind, kDirective };

  Mark(TokenIndex at) : caret(at), range{at, at + 1} {}  // NOLINT: a token is a mark
  Mark(TokenRange range) : caret(range.begin), range(range) {}
  Mark(TokenIndex at, TokenRange range) : caret(at), range(range) {}
  // Behind the last token of a line: something is missing there.
  static Mark behind(TokenIndex at) { return Mark(at, Spot::kBehind, 0); }
  // A line of the preprocessor, which begins at `offset` of the input, before a token.
  static Mark directive(TokenIndex before, std::uint32_t offset) {
    return Mark(before, Spot::kDirective, offset);
  }

  TokenIndex caret;
  TokenRange range;
  Spot spot = Spot::kToken;
  std::uint32_t offset = 0;  // of a directive

 private:
  Mark(TokenIndex at, Spot where, std::uint32_t begin)
      : caret(at), range{at, at + 1}, spot(where), offset(begin) {}
};

struct Note {
  Mark mark;
  std::string text;
};

struct Diagnostic {
  Diag diag;
  Severity severity;
  Mark mark;
  std::string text;
  std::vector<Note> labels;  // other ranges of the same line: underlined, with a text beside them
  std::vector<Note> notes;   // other places

  // Both return this diagnostic, for chains.
  Diagnostic& label(const Mark& at, std::string what);
  Diagnostic& note(const Mark& at, std::string what);
};

// Replaces each % of the pattern by the next argument.
std::string substitute(std::string_view pattern, std::initializer_list<std::string_view> arguments);
// 'text'
std::string quoted(std::string_view text);

class Diagnostics {
 public:
  // -Wgroup, -Wno-group, -Werror=group, -Wno-error=group; false where there is no such group.
  bool set_option(std::string_view option);
  void all_warnings_are_errors() { werror_ = true; }
  void no_warnings() { quiet_ = true; }
  void show_remarks() { remarks_ = true; }

  // Adds a message with its default severity, changed by the options. What is ignored, and a second message
  // of one kind at one token, is collected nowhere: what is returned is then a diagnostic that nobody prints.
  Diagnostic& report(Diag diag, const Mark& at, std::string_view pattern,
                     std::initializer_list<std::string_view> arguments = {});

  // A diagnostic that nobody prints, to be filled in by callers that do not look.
  Diagnostic& dropped();

  const std::deque<Diagnostic>& all() const { return all_; }
  unsigned errors() const { return errors_; }
  Severity severity(Diag diag) const;

 private:
  struct Setting {
    bool ignored = false, enabled = false, error = false, no_error = false;
  };
  std::map<std::string, Setting, std::less<>> settings_;
  bool werror_ = false, quiet_ = false, remarks_ = false;
  std::deque<Diagnostic> all_;
  std::unordered_set<std::uint64_t> seen_;  // token and message
  Diagnostic dropped_{Diag::kSyntax, Severity::kIgnored, Mark(0), {}, {}, {}};
  unsigned errors_ = 0;
};

}  // namespace upc2c

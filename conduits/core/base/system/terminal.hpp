// SPDX-License-Identifier: BSD-3-Clause
// The layout of an error or a warning on a terminal: the cause in the first line, each group of values, the
// cure and the process that reports it in lines of their own. Files and pipes get one line. Any thread, any
// context. Header only, for upcrun too.
#pragma once
#include <cstddef>
#include <string_view>

#include "conduits/core/base/system/text.hpp"

namespace upcr {

enum class Colour { kNone, kError, kWarning };

namespace detail {

// Where the first of the marks is in `text`, outside of parentheses and quotes; npos: nowhere. After a colon
// only if the words before it are a phrase: not after "UPC_SHARED_HEAP_SIZE=12Q".
inline std::size_t clause_end(std::string_view text, bool colons) noexcept {
  unsigned depth = 0;
  bool quoted = false, phrase = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool followed = i + 1 < text.size() && text[i + 1] == ' ';
    // An apostrophe inside of a word is no quote.
    if (c == '\'' && (quoted || i == 0 || text[i - 1] == ' ' || text[i - 1] == '(' || text[i - 1] == '='))
      quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth != 0) --depth;
    if (depth != 0) continue;
    if (c == ' ') phrase = true;
    if (c == '\n' || (followed && (c == ';' || (c == ':' && colons && phrase)))) return i;
  }
  return std::string_view::npos;
}

}  // namespace detail

// `prefix`: "UPC Runtime error: "; `identity`: " (UPC thread 3 of 4, pid 17)" or nothing. Without a line end.
inline void add_for_terminal(SafeText& out, std::string_view prefix, std::string_view message,
                             std::string_view identity, Colour colour) noexcept {
  const bool coloured = colour != Colour::kNone;
  if (coloured) out.add(colour == Colour::kError ? "\x1b[1;31m" : "\x1b[1;33m");
  out.add(prefix);
  if (coloured) out.add("\x1b[0m\x1b[1m");
  for (bool first = true; !message.empty(); first = false) {
    const std::size_t end = detail::clause_end(message, first);
    const std::string_view clause = message.substr(0, end);
    if (!first && !clause.empty()) out.add("\n  ");
    out.add(clause);
    if (first && coloured) out.add("\x1b[0m");
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
    while (!message.empty() && message.front() == ' ') message.remove_prefix(1);
  }
  if (identity.size() <= 3) return;
  identity.remove_prefix(2);  // " (" and ")"
  identity.remove_suffix(1);
  out.add("\n  in ").add(identity);
}

}  // namespace upcr

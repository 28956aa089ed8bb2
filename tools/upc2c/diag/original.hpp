// SPDX-License-Identifier: BSD-3-Clause
// The lines of the files as the user wrote them. The preprocessor keeps lines but squeezes blanks and expands
// macros; messages show the original line with a caret at the original column.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

// Where a stretch of tokens of one line is in its original line.
struct OriginalRange {
  std::string line;         // "" where the file cannot be read
  std::uint32_t begin = 1;  // column from 1, in bytes
  std::uint32_t end = 2;    // after the last byte
  std::string_view macro;   // the macro whose expansion the first token comes from, or ""
};

// The #define of a macro as a file has it.
struct MacroDefinition {
  std::string_view file;
  std::uint32_t line;
  std::uint32_t column;   // of the macro's name
  std::string_view text;  // the line
};

// The file and the line that a mark's caret is on.
Place place_of(const TokenStream& stream, const Mark& mark);

class OriginalLines {
 public:
  explicit OriginalLines(const TokenStream& stream) : stream_(stream) {}

  // The caret and the underlined range of a mark.
  OriginalRange caret(const Mark& mark);
  OriginalRange range(const Mark& mark);

  // The part of the range that is on the line of its first token. A token that a macro has expanded to takes
  // the place of the macro's name.
  OriginalRange find(TokenRange range);

  // The definition of a macro that holds where a token stands; none where no file has it, as of macros of the
  // command line and of the compiler.
  std::optional<MacroDefinition> definition(std::string_view macro, TokenIndex use);

 private:
  OriginalRange behind(TokenIndex at);
  OriginalRange directive(std::uint32_t offset);
  const std::vector<std::string>& lines_of(std::string_view file);

  const TokenStream& stream_;
  std::map<std::string, std::vector<std::string>, std::less<>> files_;
};

}  // namespace upc2c

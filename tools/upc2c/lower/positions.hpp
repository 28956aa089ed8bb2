// SPDX-License-Identifier: BSD-3-Clause
// The lines of the input in the output. Texts have marks, which say which token of the input follows; when
// the output is written, a mark becomes the line ends that are missing, or a #line, or nothing.
#pragma once
#include <string>
#include <string_view>

#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

// The name of a file as a directive has it.
std::string quoted_file(std::string_view file);

class Positions {
 public:
  explicit Positions(const TokenStream& stream) : stream_(stream) {}

  // Before a statement or a declaration: what follows gets the line of this token.
  static std::string mark(TokenIndex token);
  // Within an expression, where no directive should stand: line ends if some are missing, else nothing.
  static std::string weak_mark(TokenIndex token);
  // A line of its own for a directive that stood at this offset of the input.
  static std::string line(std::uint32_t offset, std::string_view directive);
  // The text without marks, to look at it.
  static std::string without_marks(std::string_view text);
  // The text without marks and line ends, for the line where something else stands.
  static std::string on_one_line(std::string_view text);

  // The text with line ends and #line instead of marks. It begins in an unknown line.
  std::string written(std::string_view text) const;

 private:
  const TokenStream& stream_;
};

}  // namespace upc2c

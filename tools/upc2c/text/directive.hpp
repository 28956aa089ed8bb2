// SPDX-License-Identifier: BSD-3-Clause
// One line of the preprocessor, taken apart.
#pragma once
#include <string_view>

#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

struct DirectiveLine {
  bool is_pragma = false;
  PragmaKind pragma = PragmaKind::kOther;
  DirectiveKind kind = DirectiveKind::kOther;
  // Of a line marker.
  std::uint32_t line = 0;
  std::string_view file;
  bool enters = false, returns = false, system = false;
};

// `line` begins with '#' and has no newline.
DirectiveLine parse_directive(std::string_view line);

}  // namespace upc2c

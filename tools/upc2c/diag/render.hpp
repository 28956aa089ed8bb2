// SPDX-License-Identifier: BSD-3-Clause
// Diagnostics as text with carets, and as JSON.
#pragma once
#include <string>

#include "tools/upc2c/diag/diagnostics.hpp"
#include "tools/upc2c/text/lexer.hpp"

namespace upc2c {

struct RenderOptions {
  bool color = false;
  unsigned max_errors = 20;  // 0: all
};

// file:line:column: error: text [D-ID], the source line, a line of carets, notes. In the order of the text.
std::string render_text(const Diagnostics& diagnostics, const TokenStream& stream,
                        const RenderOptions& options);
// An array of objects as -fdiagnostics-format=json of gcc writes.
std::string render_json(const Diagnostics& diagnostics, const TokenStream& stream);

}  // namespace upc2c

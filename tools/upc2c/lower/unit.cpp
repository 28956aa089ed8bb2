// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/unit.hpp"

namespace upc2c {

namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The text before the translated text. upcc knows the output of this translator by the first line.
std::string prologue(Lower& lower, std::span<Node* const> declarations) {
  return "/* written by upc2c from " + file_name(lower.options.file) +
         " */\n"
         "#define UPCR_WANT_MAJOR 3\n"
         "#define UPCR_WANT_MINOR 14\n" +
         lower.includes.at_file_scope(declarations) + lower.includes.undefine_command_line() +
         "#include <upcr/upc2c.h>\n" + lower.includes.undefine_used() + lower.functions.main_macro();
}

// What follows is the translator's own text: as in a system header, the C compiler gives no warnings.
std::string generated(const Lower& lower) {
  return "# 1 " + quoted_file("<start-up of " + file_name(lower.options.file) + ">") + " 3\n";
}

}  // namespace

std::string lower_unit(TokenStream& stream, Types& types, Diagnostics& diagnostics,
                       const LowerOptions& options, std::span<Node* const> declarations) {
  Lower lower(stream, types, diagnostics, options);
  lower.functions.find(declarations);
  lower.hidden_types.find(declarations, stream);
  std::string body;
  for (Node* node : declarations)
    if (stream.token(node->tokens.begin).origin == Origin::kUser) lower.moved_statics.find(node);
  TokenIndex next = 0;  // the first token whose pragmas are not written
  for (const Node* node : declarations) {
    const TokenIndex begin = node->tokens.begin;
    if (node->tokens.empty() || stream.token(begin).origin != Origin::kUser) continue;
    body += lower.splice.pragmas(next, begin);
    next = node->tokens.end;
    const std::string text = lower.splice.text(node);
    const std::string before = lower.type_texts.drain_typedefs() + lower.declarations.drain_hoisted();
    if (!before.empty()) body += Positions::mark(begin) + before;
    body += Positions::mark(begin) + text + " ";
  }
  body += lower.splice.pragmas(next, static_cast<TokenIndex>(stream.tokens().size() - 1));
  const std::string start_up = lower.statics.functions();
  return prologue(lower, declarations) + lower.positions.written(body + "\n") +
         (start_up.empty() ? "" : generated(lower) + lower.positions.written(start_up)) + "\n";
}

}  // namespace upc2c

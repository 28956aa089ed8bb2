// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/driver.hpp"

#include "tools/upc2c/lower/unit.hpp"
#include "tools/upc2c/parse/parser.hpp"

namespace upc2c {
namespace {

void set_warnings(Diagnostics& diagnostics, const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    if (option == "-w")
      diagnostics.no_warnings();
    else if (option == "-Rupc")
      diagnostics.show_remarks();
    else if (option == "-Werror")
      diagnostics.all_warnings_are_errors();
    else
      diagnostics.set_option(option);  // other groups are the C compiler's
  }
}

}  // namespace

Translation translate(std::string preprocessed, const TranslateOptions& options) {
  Translation result;
  Diagnostics diagnostics;
  set_warnings(diagnostics, options.warnings);
  TokenStream stream(std::move(preprocessed), options.lower.file);
  Arena arena;
  Types types(options.target);
  Parser parser(stream, arena, diagnostics);
  Checker checker(stream, arena, types, diagnostics, options.check);
  std::vector<Node*> declarations;
  while (Node* node = parser.next_external_declaration()) {
    checker.check(node);
    declarations.push_back(node);
  }
  if (!options.syntax_only && diagnostics.errors() == 0)
    result.c = lower_unit(stream, types, diagnostics, options.lower, declarations);
  result.errors = diagnostics.errors();
  if (result.errors != 0) result.c.clear();
  result.messages =
      options.json ? render_json(diagnostics, stream) : render_text(diagnostics, stream, options.render);
  return result;
}

}  // namespace upc2c

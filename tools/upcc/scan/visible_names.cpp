// SPDX-License-Identifier: BSD-3-Clause
// See visible_names.hpp.
#include "tools/upcc/scan/visible_names.hpp"

namespace upcc {
namespace {

bool ends_declaration(const Token& token) { return token.is(";") || token.is("{") || token.is("}"); }

bool is_attribute(const std::vector<Token>& tokens, std::size_t i) {
  return (tokens[i].is("visibility") || tokens[i].is("__visibility__")) && i + 2 < tokens.size() &&
         tokens[i + 1].is("(") && tokens[i + 2].is("\"default\"");
}

}  // namespace

std::set<std::string_view> find_visible_names(const std::vector<Token>& tokens) {
  std::set<std::string_view> names;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!is_attribute(tokens, at)) continue;
    std::size_t i = at;
    while (i > 0 && !ends_declaration(tokens[i - 1])) --i;
    for (; i < tokens.size() && !ends_declaration(tokens[i]); ++i)
      if (tokens[i].name()) names.insert(tokens[i].text);
  }
  return names;
}

}  // namespace upcc

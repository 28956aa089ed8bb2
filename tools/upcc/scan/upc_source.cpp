// SPDX-License-Identifier: BSD-3-Clause
// See upc_source.hpp.
#include "tools/upcc/scan/upc_source.hpp"

#include <algorithm>
#include <filesystem>

#include "tools/upc2c/text/upc_headers.hpp"
#include "tools/upcc/base/file.hpp"
#include "tools/upcc/scan/scan.hpp"

namespace upcc {
namespace {

// Whether the include, as it is written, is of one of UPC's headers.
bool includes_upc_header(std::string_view include, const std::vector<std::string>& folders) {
  const std::string name(include.substr(1, include.find_first_of(">\"", 1) - 1));
  if (!upc2c::is_language_header(name)) return false;
  std::error_code ignored;
  return include[0] == '<' || std::none_of(folders.begin(), folders.end(), [&](const std::string& folder) {
           return std::filesystem::exists(std::filesystem::path(folder) / name, ignored);
         });
}

bool includes_upc(const std::vector<Token>& tokens, const std::vector<std::string>& folders) {
  int depth = 0;  // of #if
  for (const Token& token : tokens) {
    if (token.kind != TokenKind::kDirective) continue;
    const Directive directive = directive_of(token.text);
    if (directive.keyword == "if" || directive.keyword == "ifdef" || directive.keyword == "ifndef") ++depth;
    if (directive.keyword == "endif") --depth;
    if (depth != 0 || directive.keyword != "include" || directive.rest.size() < 3) continue;
    if (includes_upc_header(directive.rest, folders)) return true;
  }
  return false;
}

}  // namespace

bool is_upc_source(const std::string& path, const std::vector<std::string>& folders) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  const std::string text = read_file(path);
  if (text.find("upc") == std::string::npos) return false;  // of most files, at once
  const std::vector<Token> tokens = tokens_of(text);
  std::vector<std::string> searched = folders;
  searched.push_back(std::filesystem::path(path).parent_path().string());
  return includes_upc(tokens, searched) && !scan_source(text, tokens, path).translated;
}

}  // namespace upcc

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/includes.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "tools/upc2c/lower/lower.hpp"
#include "tools/upc2c/text/directive.hpp"

namespace upc2c {
namespace {

// The name that #define or #undef is about.
std::string_view macro_name(std::string_view directive) {
  std::size_t at = directive.find("def");  // of define and of undef
  at = directive.find_first_of(" \t", at);
  at = directive.find_first_not_of(" \t", at);
  if (at == std::string_view::npos) return {};
  return directive.substr(at, std::min(directive.find_first_of(" \t(", at), directive.size()) - at);
}

// #define stdout stdout
bool defines_itself(std::string_view directive) {
  const std::string_view name = macro_name(directive);
  const std::size_t end = static_cast<std::size_t>(name.data() - directive.data()) + name.size();
  const std::size_t rest = directive.find_first_not_of(" \t", end);
  return rest != std::string_view::npos && directive.substr(rest) == name;
}

// The identifier that a macro stands for, or "": rpl_f of "#define f rpl_f".
std::string_view renamed_to(std::string_view directive) {
  const std::string_view name = macro_name(directive);
  if (name.empty()) return {};
  const std::string_view rest =
      directive.substr(static_cast<std::size_t>(name.data() - directive.data()) + name.size());
  const std::size_t begin = rest.find_first_not_of(" \t");
  if (begin == 0 || begin == std::string_view::npos) return {};
  const std::string_view body = rest.substr(begin, rest.find_last_not_of(" \t") + 1 - begin);
  const auto of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return std::all_of(body.begin(), body.end(), of_name) ? body : std::string_view();
}

// Whether the program has the name before a token.
bool is_named_before(const TokenStream& stream, std::string_view text, TokenIndex before) {
  const NameId name = text.empty() ? 0 : stream.names().find(text);
  if (name == 0) return false;
  const auto& tokens = stream.tokens();
  return std::any_of(tokens.begin(), tokens.begin() + before, [&](const Token& token) {
    return token.is(Tok::kIdentifier) && token.origin == Origin::kUser && token.name == name;
  });
}

// Text before the first line of a file: the compiler's own macros and those of the command line, which it has
// the second time as well.
bool is_predefined(const TokenStream& stream, const Directive& d) {
  const LineTable& lines = stream.lines();
  return lines.file(lines.stretch(d.offset)).starts_with('<');
}

bool is_of_command_line(const TokenStream& stream, const Directive& d) {
  const LineTable& lines = stream.lines();
  return lines.file(lines.stretch(d.offset)).starts_with("<command");
}

// A macro that is meant for the headers of the system, of the runtime (THREADS of upcc -T) or of GASNet.
bool is_for_headers(std::string_view name) {
  return name.starts_with('_') || name.starts_with("UPC") || name.starts_with("GAS") || name == "THREADS";
}

}  // namespace

// The directive behind the line marker `entry`, which enters a header; null if the compiler was told to
// include it. `first`: the directive after the last token before it.
const Directive* Includes::include_of(std::size_t entry, std::size_t first) const {
  const auto& directives = lower_.stream.directives();
  for (std::size_t i = entry; i > first; i--) {
    const Directive& d = directives[i - 1];
    if (d.kind == DirectiveKind::kLineMarker && parse_directive(lower_.stream.text(d)).enters) break;
    if (d.kind == DirectiveKind::kInclude) return &d;
  }
  return nullptr;
}

std::string Includes::include_text(const Directive* include, std::string_view file) const {
  const std::string_view text = include == nullptr ? std::string_view() : lower_.stream.text(*include);
  const std::size_t open = text.find_first_of("<\"");
  if (open == std::string_view::npos || text.find("include_next") != std::string_view::npos)
    return "#include \"" + std::filesystem::absolute(file).string() + "\"";
  // A header that "..." finds in a system folder is found by <...> too, which does not depend on the folder
  // of the file that has the include.
  const std::size_t close = text.find_first_of(">\"", open + 1);
  return "#include <" + std::string(text.substr(open + 1, close - open - 1)) + ">";
}

const std::vector<Includes::SystemInclude>& Includes::all() {
  if (found_) return all_;
  found_ = true;
  const TokenStream& stream = lower_.stream;
  const auto& directives = stream.directives();
  std::size_t first = 0;  // of the directives before the same token
  for (std::size_t i = 0; i < directives.size(); i++) {
    const Directive& d = directives[i];
    if (d.before != directives[first].before) first = i;
    if (d.kind != DirectiveKind::kLineMarker || d.origin == Origin::kSystem) continue;
    const DirectiveLine marker = parse_directive(stream.text(d));
    if (!marker.enters || stream.lines().stretch(d.offset + d.length + 1).origin != Origin::kSystem) continue;
    if (marker.file.ends_with("/stdc-predef.h")) continue;  // the compiler includes it by itself
    const Directive* include = include_of(i, first);
    all_.push_back(
        {d.before, i, (include == nullptr ? d : *include).offset, include_text(include, marker.file)});
  }
  return all_;
}

std::string Includes::at_file_scope(std::span<Node* const> declarations) {
  const TokenStream& stream = lower_.stream;
  const auto inside = [&](TokenIndex token) {  // of a declaration
    const auto after = std::upper_bound(declarations.begin(), declarations.end(), token,
                                        [](TokenIndex t, const Node* n) { return t < n->tokens.end; });
    return after != declarations.end() && (*after)->tokens.begin < token;
  };
  std::string out, pending;
  std::set<std::string_view> defined;
  std::size_t at = 0;
  for (const SystemInclude& include : all()) {
    if (inside(include.before)) continue;
    for (; at < include.directive; at++) {
      const Directive& d = stream.directives()[at];
      if (d.origin != Origin::kUser || is_predefined(stream, d)) continue;
      const std::string_view name = macro_name(stream.text(d));
      // Replacements that the program has declared by now, as those of gnulib: here they are not declared
      // yet.
      if (d.kind == DirectiveKind::kDefine &&
          is_named_before(stream, renamed_to(stream.text(d)), include.before))
        continue;
      if (d.kind == DirectiveKind::kDefine) defined.insert(name);
      if (d.kind == DirectiveKind::kUndef) defined.erase(name);
      if (d.kind == DirectiveKind::kDefine || d.kind == DirectiveKind::kUndef)
        out += std::string(stream.text(d)) + "\n";
    }
    out += include.text + "\n";
  }
  // The C compiler warns when macros of its own kind, as __STDC_WANT_LIB_EXT2__, are undefined.
  for (const std::string_view name : defined)
    if (!name.starts_with("__STDC_")) out += "#undef " + std::string(name) + "\n";
  return out;
}

std::string Includes::in_place(TokenIndex token) {
  std::string out;
  const auto& includes = all();
  auto include = std::lower_bound(includes.begin(), includes.end(), token,
                                  [](const SystemInclude& i, TokenIndex t) { return i.before < t; });
  for (; include != includes.end() && include->before == token; ++include)
    out += Positions::line(include->offset, include->text);
  return out;
}

std::string Includes::undefine_command_line() {
  std::string out;
  for (const Directive& d : lower_.stream.directives()) {
    if (d.kind != DirectiveKind::kDefine || !is_of_command_line(lower_.stream, d)) continue;
    const std::string_view name = macro_name(lower_.stream.text(d));
    if (!is_for_headers(name)) out += "#undef " + std::string(name) + "\n";
  }
  return out;
}

std::string Includes::undefine_used() {
  const TokenStream& stream = lower_.stream;
  std::set<NameId> macros;
  for (const Directive& d : stream.directives())
    if (d.kind == DirectiveKind::kDefine && (d.origin != Origin::kUser || is_predefined(stream, d)) &&
        !defines_itself(stream.text(d)))
      macros.insert(stream.names().find(macro_name(stream.text(d))));  // 0: no token has this name
  std::set<std::string_view> used;
  for (const Token& token : stream.tokens())
    if (token.is(Tok::kIdentifier) && token.origin == Origin::kUser && macros.count(token.name) != 0)
      used.insert(stream.names().text(token.name));
  std::string out;
  for (const std::string_view name : used) out += "#undef " + std::string(name) + "\n";
  return out;
}

}  // namespace upc2c

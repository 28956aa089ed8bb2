// SPDX-License-Identifier: BSD-3-Clause
// See scan.hpp.
#include "tools/upcc/scan/scan.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "tools/upcc/scan/visible_names.hpp"

namespace upcc {
namespace {

using std::string_view;
using Tokens = std::vector<Token>;

bool starts(string_view text, string_view start) { return text.substr(0, start.size()) == start; }
bool ends(string_view text, string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// The value of a #define of `name`; -1 when it is not a plain number.
int defined_number(string_view rest, string_view name) {
  if (!starts(rest, name)) return -1;
  rest.remove_prefix(name.size());
  if (rest.empty() || (rest[0] != ' ' && rest[0] != '\t')) return -1;
  while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '(')) rest.remove_prefix(1);
  int value = -1;
  std::from_chars(rest.data(), rest.data() + rest.size(), value);
  return value;
}

void read_define(string_view rest, SourceInfo& found) {
  const std::pair<string_view, int*> wanted[] = {{"UPCR_WANT_MAJOR", &found.want_major},
                                                 {"UPCR_WANT_MINOR", &found.want_minor},
                                                 {"UPCR_SHARED_SIZE_", &found.shared_size},
                                                 {"UPCR_PSHARED_SIZE_", &found.pshared_size}};
  for (const auto& [name, value] : wanted)
    if (const int number = defined_number(rest, name); number >= 0) *value = number;
}

bool is_gnu_source(string_view rest) {
  constexpr string_view kName = "_GNU_SOURCE";
  return starts(rest, kName) && (rest.size() == kName.size() || std::isspace(rest[kName.size()]) != 0);
}

void read_directive(const Token& token, SourceInfo& found) {
  const Directive directive = directive_of(token.text);
  if (directive.keyword == "define") {
    read_define(directive.rest, found);
    if (is_gnu_source(directive.rest)) found.defines_gnu_source = true;
    if (directive.rest.find("UPCR_TLD_") != string_view::npos) found.tld_needs_preprocessing = true;
  }
  if (directive.keyword != "include" || directive.rest.size() < 3) return;
  const string_view name = directive.rest.substr(1, directive.rest.find_first_of(">\"", 1) - 1);
  if (name == "upcr.h" || ends(name, "/upcr.h")) found.includes_upcr = true;
}

// The index after the parenthesis that closes the one at `open`.
std::size_t after_parentheses(const Tokens& t, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < t.size(); ++i) {
    if (t[i].is("(")) ++depth;
    if (t[i].is(")") && --depth == 0) return i + 1;
  }
  return t.size();
}

// The opening one of the bracket that closes at i; 0 if there is none.
std::size_t opening(const Tokens& t, std::size_t i, const char* open, const char* close) {
  for (int depth = 0; i > 0; --i) {
    if (t[i].is(close)) depth++;
    if (t[i].is(open) && --depth == 0) return i;
  }
  return 0;
}

// Whether the brace at i begins the members of a structure or an initial value, in the middle of a
// declaration.
bool inside_declaration(const Tokens& t, std::size_t i) {
  while (i-- > 0) {
    if (t[i].is("struct") || t[i].is("union") || t[i].is("enum") || t[i].is("=")) return true;
    if (t[i].is(")")) {
      i = opening(t, i, "(", ")");
      if (i == 0 || !(t[i - 1].is("__attribute__") || t[i - 1].is("__attribute"))) return false;
    } else if (!t[i].name() && t[i].kind != TokenKind::kDirective) {
      return false;
    }
  }
  return false;
}

bool declared_static(const Tokens& t, std::size_t i) {
  while (i-- > 0 && !t[i].is(";") && !t[i].is("{")) {
    if (t[i].is("static")) return true;
    if (!t[i].is("}")) continue;
    i = opening(t, i, "{", "}");
    if (!inside_declaration(t, i)) return false;
  }
  return false;
}

void add_utf8(std::string& out, unsigned code) {
  const auto byte = [&](unsigned lead, unsigned shift) { out += static_cast<char>(lead | (code >> shift)); };
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    byte(0, 0);
  } else if (code < 0x800) {
    byte(0xc0, 6);
    tail(0);
  } else if (code < 0x10000) {
    byte(0xe0, 12);
    tail(6);
    tail(0);
  } else {
    byte(0xf0, 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

void read_tld_define(const Tokens& t, std::size_t i, SourceInfo& found) {
  if (i + 2 >= t.size() || !t[i + 1].is("(") || !t[i + 2].name()) return;
  TldDefinition& definition = found.tld[tld_name(t[i + 2].text)];
  if (declared_static(t, i)) return;
  definition.external = true;
  // To the end of the declarator, of which the macro may be in parentheses.
  int depth = 0;
  for (std::size_t k = after_parentheses(t, i + 1); k < t.size() && !t[k].is(";"); ++k) {
    if (t[k].is("=")) definition.initialised = true;
    if (definition.initialised || (depth == 0 && t[k].is(","))) return;
    if (t[k].is("(") || t[k].is("[")) depth++;
    if (depth > 0 && (t[k].is(")") || t[k].is("]"))) depth--;
  }
}

void read_tld_address(const Tokens& t, std::size_t i, SourceInfo& found) {
  if (i + 2 >= t.size() || !t[i + 1].is("(")) return;
  std::size_t k = i + 2;
  while (k < t.size() && t[k].is("(")) ++k;
  if (k == t.size() || !t[k].name()) return;
  const std::string name = tld_name(t[k].text);
  if (std::find(found.tld_addresses.begin(), found.tld_addresses.end(), name) == found.tld_addresses.end())
    found.tld_addresses.push_back(name);
}

bool defines_function(const Tokens& t, std::size_t i) {
  if (i + 1 >= t.size() || !t[i + 1].is("(")) return false;
  std::size_t k = after_parentheses(t, i + 1);
  // Old-style declarations of parameters may stand before the body.
  while (k < t.size() && !t[k].is("{") && !t[k].is("=") && !t[k].is("(") && !t[k].is(",")) {
    if (t[k].is(";") && k == after_parentheses(t, i + 1)) return false;
    ++k;
  }
  return k < t.size() && t[k].is("{");
}

bool is_runtime_call(const Tokens& t, std::size_t i) {
  string_view name = t[i].text;
  if (starts(name, "_")) name.remove_prefix(1);
  return (starts(name, "upcr_") || starts(name, "upc_") || starts(name, "bupc_")) && i + 1 < t.size() &&
         t[i + 1].is("(");
}

// The name that the typedef at `i` declares: the last one, or that behind the first "(*". Others of a list
// are not found.
string_view typedef_name(const Tokens& t, std::size_t i) {
  string_view name;
  for (++i; i < t.size() && !t[i].is(";"); ++i) {
    if (t[i].name()) name = t[i].text;
    if (t[i].is("(") && i + 2 < t.size() && t[i + 1].is("*") && t[i + 2].name()) return t[i + 2].text;
  }
  return name;
}

// Whether "extern T upcr_function(...)" stands at `i`, at file scope or in a block.
bool is_runtime_redeclaration(const Tokens& t, std::size_t i) {
  for (++i; i < t.size() && !t[i].is(";") && !t[i].is("{") && !t[i].is("="); ++i)
    if (t[i].name() && is_runtime_call(t, i)) return true;
  return false;
}

bool is_translator_name(string_view name) {
  return starts(name, "UPCRI_ALLOC_") || starts(name, "UPCRI_INIT_") || name == "UPCR_BEGIN_FUNCTION" ||
         starts(name, "UPCR_TLD_DEFINE") || starts(name, "UPCRT_STARTUP_") ||
         name == "UPCR_TRANS_EXTRA_INCL" || name == "UPCR_SHARED_SIZE_" || name == "UPCR_PSHARED_SIZE_";
}

// Whether the directive defines or tests a macro that only translators use.
bool is_translator_directive(string_view directive) {
  for (const char* mark :
       {"UPCR_TRANS_EXTRA_INCL", "UPCR_SHARED_SIZE_", "UPCR_PSHARED_SIZE_", "UPCRT_STARTUP_"})
    if (directive.find(mark) != string_view::npos) return true;
  return false;
}

bool has_translator_suffix(const std::string& path) {
  return ends(path, ".trans.c") || ends(path, ".upc.c") || ends(path, ".w2c.c");
}

}  // namespace

bool defines_gnu_source(const Tokens& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    if (token.kind != TokenKind::kDirective) return false;
    const Directive directive = directive_of(token.text);
    return directive.keyword == "define" && is_gnu_source(directive.rest);
  });
}

std::string tld_name(string_view name) {
  if (name == "upcr_forall_control") return "upcrt_forall_control";
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    if (name[at] != '\\' || at + 1 == name.size()) {
      out += name[at++];
      continue;
    }
    const string_view digits = name.substr(at + 2, name[at + 1] == 'U' ? 8 : 4);
    unsigned code = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    add_utf8(out, code);
    at += 2 + digits.size();
  }
  return out;
}

SourceInfo scan_source(string_view text, const Tokens& tokens, const std::string& path) {
  SourceInfo found;
  found.redefined_names = find_redefined_names(tokens);
  for (const string_view name : find_visible_names(tokens)) found.visible_names.emplace(name);
  const auto is_redefined = [&found](const Token& token) {
    return std::any_of(found.redefined_names.begin(), found.redefined_names.end(),
                       [&token](const RedefinedName& name) { return token.is(name.name); });
  };
  bool marked = text.find("UPCR_TRANS_EXTRA_INCL") != string_view::npos, main_here = false,
       starts_runtime = false;
  int depth = 0;
  std::set<string_view> types;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind == TokenKind::kDirective) {
      read_directive(token, found);
      marked = marked || is_translator_directive(token.text);
    } else if (token.is("{")) {
      ++depth;
    } else if (token.is("}")) {
      --depth;
    } else if (token.name()) {
      marked = marked || is_translator_name(token.text);
      if (starts(token.text, "UPCR_TLD_DEFINE")) read_tld_define(tokens, i, found);
      if (token.is("upcr_startup_shalloc") || token.is("upcr_startup_pshalloc")) found.allocates = true;
      if (token.is("UPCR_TLD_ADDR")) read_tld_address(tokens, i, found);
      if (starts(token.text, "bupc_init") || token.is("upcr_startup_init")) starts_runtime = true;
      if (depth == 0 && token.is("typedef")) types.insert(typedef_name(tokens, i));
      // Outside functions nothing is called: what looks like a call is a declaration, of a function unless
      // the name is a type's, as in "upcr_shared_ptr_t (*function)(int)".
      if (depth == 0 ? is_runtime_call(tokens, i) && !is_redefined(token) && !ends(token.text, "_t") &&
                           types.count(token.text) == 0
                     : token.is("extern") && is_runtime_redeclaration(tokens, i))
        found.redeclares = true;
      if (depth != 0 || !defines_function(tokens, i)) continue;
      if (token.is("main")) main_here = true;
      if (token.is("user_main")) marked = true;
      if (starts(token.text, "UPCRI_ALLOC_")) found.alloc_function = token.text;
      if (starts(token.text, "UPCRI_INIT_")) found.init_function = token.text;
    }
  }
  found.translated =
      has_translator_suffix(path) || (found.includes_upcr && (marked || found.want_major >= 0));
  // main() may be renamed only when a translator made the file and its main() does not start the runtime
  // itself.
  const bool entry_points = !found.alloc_function.empty() || !found.init_function.empty();
  found.defines_main = found.translated && main_here && entry_points && !starts_runtime;
  if (found.translated) found.direct_uses = find_direct_uses(tokens, found);
  found.tld_needs_preprocessing = found.tld_needs_preprocessing || !found.direct_uses.empty();
  return found;
}

void rescan_preprocessed(const Tokens& preprocessed, SourceInfo& found) {
  found.tld.clear();
  found.tld_addresses.clear();
  for (std::size_t i = 0; i < preprocessed.size(); ++i) {
    if (preprocessed[i].is("UPCRI_TLD_DEFINED_HERE")) read_tld_define(preprocessed, i, found);
    if (preprocessed[i].is("UPCRI_TLD_ADDRESS_HERE")) read_tld_address(preprocessed, i, found);
  }
  found.direct_uses = find_direct_uses(preprocessed, found);
}

}  // namespace upcc

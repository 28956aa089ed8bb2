// SPDX-License-Identifier: BSD-3-Clause
// See rewrite.hpp. One pass over the tokens, which makes edits in the order of the text.
// docs/how-to/translators.md lists the edits.
#include "tools/upcc/compile/rewrite.hpp"

#include <charconv>
#include <filesystem>

#include "tools/upcc/compile/includes.hpp"
#include "tools/upcc/object/note.hpp"
#include "tools/upcc/options/compiler_options.hpp"

namespace upcc {
namespace {

using std::string_view;

constexpr string_view kMangled = "bupc_mangled_va_";

class Rewriter {
 public:
  Rewriter(string_view text, Arguments user_dirs, const std::vector<RedefinedName>& redefined_names,
           const Options& options)
      : text_(text),
        redefined_names_(redefined_names),
        user_dirs_(std::move(user_dirs)),
        instrument_(options.instrument),
        line_markers_(options.line_markers) {}

  std::string apply(const std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token& token = tokens[i];
      redefined_names(i, token);
      if (token.kind == TokenKind::kDirective) {
        directive(token);
      } else if (token.is("{") || token.is("}")) {
        depth_ += token.is("{") ? 1 : -1;
      } else if (instrument_ && is_allocation_function(token.text)) {
        if (depth_ > 0 && calls(tokens, i)) replace(token.text, "upcri_traced_" + std::string(token.text));
      } else if (token.name() && token.text.substr(0, kMangled.size()) == kMangled) {
        replace(token.text, unmangled(token.text));
      }
    }
    out_ += text_.substr(done_);
    return std::move(out_);
  }

 private:
  static bool is_allocation_function(string_view name) {
    return name == "malloc" || name == "calloc" || name == "realloc" || name == "free";
  }

  // Whether the name at `i`, in a block, is called and not declared, nor the name of a member.
  static bool calls(const std::vector<Token>& t, std::size_t i) {
    if (i == 0 || i + 1 >= t.size() || !t[i + 1].is("(")) return false;
    const Token& before = t[i - 1];
    if (before.name()) return before.is("return") || before.is("else") || before.is("do");
    return !before.is(".") && !before.is("->") && !before.is(">") && !before.is("*");
  }

  static std::string unmangled(string_view name) { return "va_" + std::string(name.substr(kMangled.size())); }

  void replace(string_view part, const std::string& by) {
    const std::size_t begin = static_cast<std::size_t>(part.data() - text_.data());
    out_ += text_.substr(done_, begin - done_);
    out_ += by;
    done_ = begin + part.size();
  }

  // Before a declaration that begins at token `i`: directives that give the names it redefines to the
  // program.
  void redefined_names(std::size_t i, const Token& token) {
    std::string text;
    for (; next_redefined_ < redefined_names_.size() && redefined_names_[next_redefined_].at <= i;
         ++next_redefined_) {
      const std::string& name = redefined_names_[next_redefined_].name;
      text += redefined_names_[next_redefined_].is_type ? "#define " + name + " upcri_own_" + name + "\n"
                                                        : "#undef " + name + "\n";
    }
    if (!text.empty())
      replace(token.text.substr(0, 0), "\n" + text + "#line " + std::to_string(token.line + shift_) + "\n");
  }

  void directive(const Token& token) {
    const Directive d = directive_of(token.text);
    if (d.keyword == "line") {
      line_marker(token, d.rest);
    } else if (d.keyword == "include" || d.keyword == "include_next" || d.keyword == "import") {
      include(d.rest);
    } else if (d.keyword == "pragma") {
      pragma(token, d.rest);
    } else if (d.keyword == "define") {
      unmangle_in(d.rest);
    }
  }

  // The next line has number N: records the distance to its physical number.
  void line_marker(const Token& token, string_view rest) {
    if (!line_markers_) {
      replace(token.text, "");
      return;
    }
    int number = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), number).ec == std::errc())
      shift_ = number - (token.line + 1);
  }

  void include(string_view rest) {
    if (rest.size() < 3 || (rest[0] != '<' && rest[0] != '"')) return;
    const std::size_t end = rest.find(rest[0] == '<' ? '>' : '"', 1);
    if (end == string_view::npos) return;
    const std::string name(rest.substr(0, end + 1));
    const std::string here = resolve_include(name, user_dirs_);
    if (here != name) replace(rest.substr(0, end + 1), here);
  }

  void pragma(const Token& token, string_view rest) {
    if (rest == "upcr no_srcpos") replace(token.text, "#define UPCR_NO_SRCPOS 1");
    if (rest != "pupc on" && rest != "pupc off") return;
    const std::string value = rest == "pupc on" ? "1" : "0";
    replace(token.text, "#undef UPCR_PRAGMA_PUPC\n#define UPCR_PRAGMA_PUPC " + value + "\n#line " +
                            std::to_string(token.line + 1 + shift_));
  }

  void unmangle_in(string_view body) {
    for (std::size_t at = 0; (at = body.find(kMangled, at)) != string_view::npos; at += kMangled.size()) {
      const string_view argument = body.substr(at, kMangled.size());
      replace(argument, "va_");
    }
  }

  string_view text_;
  const std::vector<RedefinedName>& redefined_names_;
  std::size_t next_redefined_ = 0;
  Arguments user_dirs_;
  std::string out_;
  std::size_t done_ = 0;
  int shift_ = 0, depth_ = 0;
  bool instrument_, line_markers_;
};

std::string c_string(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// Variables without an initial value would be common symbols, which are in no section. Weak symbols are in
// one, and may be defined by several files as well. A pragma, because the declarations come later; once more
// behind them, because gcc forgets the first one of a name that it knows as a function of C: int index;
std::string weak_pragmas(const SourceInfo& source) {
  std::string text;
  for (const auto& [name, definition] : source.tld)
    if (definition.external && !definition.initialised) text += "#pragma weak " + name + "\n";
  return text;
}

std::string ident(const char* what, const std::string& path, const std::string& function) {
  if (function.empty()) return {};
  const std::string base = std::filesystem::path(path).filename().string();
  return std::string("static const char upcri_ident_") + what + "[] __attribute__((used)) = " +
         c_string(std::string("$UPCR") + what + "Fn: (" + base + ") " + function + " $") + ";\n";
}

// A table of the program's, in a section, so that the start-up file finds the functions of objects that the
// linker took from libraries by itself.
std::string start_functions(const SourceInfo& source) {
  const auto or_null = [](const std::string& function) { return function.empty() ? "0" : function; };
  if (source.alloc_function.empty() && source.init_function.empty()) return {};
  const std::string mark = source.allocates ? "__attribute__((weak)) int upcri_static_objects = 1;\n" : "";
  return mark +
         "static void (*upcri_functions_here[2])(void) __attribute__((used, section(\"upcri_functions\"))) = {" +
         or_null(source.alloc_function) + ", " + or_null(source.init_function) + "};\n";
}

}  // namespace

std::string rewrite_source(const std::string& path, const std::string& text, const std::vector<Token>& tokens,
                           const SourceInfo& source, const Options& options) {
  std::string out = weak_pragmas(source) + "#line 1 " + c_string(path) + "\n";
  return out +
         Rewriter(text, user_include_dirs(path, options), source.redefined_names, options).apply(tokens);
}

std::string trailer(const std::string& path, const SourceInfo& source, const Options& options) {
  std::string out = "\n#line 1 \"<upcc>\"\n" + weak_pragmas(source);
  out += ident("Alloc", path, source.alloc_function) + ident("Init", path, source.init_function);
  out += start_functions(source);
  if (!source.tld.empty() || !source.tld_addresses.empty())
    out += "__attribute__((weak)) int upcri_tld_objects = 1;\n";
  out += note_text(note_of(path, source, options));
  return out;
}

Arguments user_include_dirs(const std::string& path, const Options& options) {
  const std::string own = std::filesystem::path(path).parent_path().string();
  Arguments dirs = {own.empty() ? "." : own};
  const Arguments given =
      header_folders(options.compile_options, {"-I", "-iquote", "-isystem", "-idirafter"});
  dirs.insert(dirs.end(), given.begin(), given.end());
  return dirs;
}

}  // namespace upcc

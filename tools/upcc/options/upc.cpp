// SPDX-License-Identifier: BSD-3-Clause
// See upc.hpp.
#include "tools/upcc/options/upc.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>

#include "tools/upc2c/diag/ids.hpp"
#include "tools/upcc/base/process.hpp"
#include "tools/upcc/options/compiler_options.hpp"

namespace upcc {
namespace {

bool starts(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

template <std::size_t n>
bool starts_with_any(const std::string& text, const char* const (&list)[n]) {
  return std::any_of(std::begin(list), std::end(list),
                     [&text](const char* start) { return starts(text, start); });
}

bool is_one_of(const std::string& text, std::initializer_list<const char*> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// -WGROUP, -Wno-GROUP, -Werror=GROUP, -Wno-error=GROUP of the translator.
bool is_upc_warning(const std::string& argument) {
  if (!starts(argument, "-W")) return false;
  std::string group = argument.substr(2);
  if (starts(group, "no-")) group.erase(0, 3);
  if (starts(group, "error=")) group.erase(0, 6);
  return upc2c::is_group(group);
}

// `argument`: -fdiagnostics-format=FORMAT
void set_format(UpcOptions& upc, const std::string& argument) {
  upc.json = is_one_of(argument, {"-fdiagnostics-format=json", "-fdiagnostics-format=json-stderr"});
  if (!upc.json &&
      (starts(argument, "-fdiagnostics-format=sarif") || argument == "-fdiagnostics-format=json-file"))
    warn(argument + ": messages about UPC are written as text; the other form is -fdiagnostics-format=json");
}

bool colors_by_default() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string(terminal) != "dumb";
}

// The options for which `keep` returns true, each with its argument.
Arguments select(const Arguments& options, const std::function<bool(const std::string&)>& keep) {
  Arguments selected;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::size_t end = std::min(options.size(), i + (classify(options[i]).has_argument ? 2 : 1));
    if (keep(options[i]))
      selected.insert(selected.end(), options.begin() + static_cast<std::ptrdiff_t>(i),
                      options.begin() + static_cast<std::ptrdiff_t>(end));
    i = end - 1;
  }
  return selected;
}

// -Wpadded, -Werror=padded: about the form of the text, which is the translator's.
bool is_about_form(const std::string& option) {
  static constexpr const char* kGroups[] = {"pedantic",
                                            "gnu",
                                            "reserved-identifier",
                                            "traditional-conversion",
                                            "c90-c99-compat",
                                            "padded",
                                            "unused-macros",
                                            "declaration-after-statement",
                                            "vla",
                                            "aggregate-return",
                                            "bad-function-cast",
                                            "c++-compat",
                                            "long-long",
                                            "traditional",
                                            "inline",
                                            "nested-externs"};
  if (!starts(option, "-W")) return false;
  const std::string group = option.substr(starts(option, "-Werror=") ? 8 : 2);
  return std::any_of(std::begin(kGroups), std::end(kGroups),
                     [&group](const char* known) { return group == known; });
}

// The option for the translation, which has extensions of GNU C: the same standard with them, and C99 for
// those before it, because UPC is an extension of C99.
std::string translation_standard(const Arguments& compile_options) {
  static const std::map<std::string, std::string> kStandards = {
      {"c11", "gnu11"},          {"c1x", "gnu11"},          {"gnu11", "gnu11"},       {"gnu1x", "gnu11"},
      {"iso9899:2011", "gnu11"}, {"c17", "gnu17"},          {"c18", "gnu17"},         {"gnu17", "gnu17"},
      {"gnu18", "gnu17"},        {"iso9899:2017", "gnu17"}, {"iso9899:2018", "gnu17"}};
  static constexpr const char* kC23[] = {"c2", "gnu2", "iso9899:202"};
  std::string standard = "gnu99";
  for (const std::string& option : compile_options) {
    if (!starts(option, "-std=")) continue;
    const std::string name = option.substr(5);
    if (starts_with_any(name, kC23))
      fatal(option + ": UPC source is C99, C11 or C17 with UPC; give -std=gnu17 or an earlier standard");
    const auto known = kStandards.find(name);
    standard = known == kStandards.end() ? "gnu99" : known->second;
  }
  return "-std=" + standard;
}

}  // namespace

bool record_upc_option(UpcOptions& upc, const std::string& argument) {
  if (is_upc_warning(argument)) {
    upc.warnings.push_back(argument);
    return argument.find("upc") != std::string::npos;  // the others are groups of C compilers, too
  }
  if (starts(argument, "--opt=")) {
    if (!is_one_of(argument, {"--opt=0", "--opt=1", "--opt=2"}))
      fatal(argument + ": the levels are 0, 1 and 2");
    upc.loop_level = argument.back() - '0';
    return true;
  }
  if (starts(argument, "--opt-only=")) {
    upc.loop_lines.push_back(parse_count("--opt-only", argument.substr(11), 10000000));
    return true;
  }
  if (argument == "-Rupc") {
    upc.warnings.push_back(argument);
    return true;
  }
  if (argument == "--keep-trans" || argument == "-keep-trans") {
    upc.keep_translation = true;
    return true;
  }
  if (argument == "-Werror" || argument == "-w")
    upc.warnings.push_back(argument);
  else if (argument == "-Wno-error")
    std::erase(upc.warnings, "-Werror");
  else if (is_one_of(argument, {"-fdiagnostics-color", "-fdiagnostics-color=always", "-fcolor-diagnostics"}))
    upc.color = true;
  else if (is_one_of(argument,
                     {"-fno-diagnostics-color", "-fdiagnostics-color=never", "-fno-color-diagnostics"}))
    upc.color = false;
  else if (argument == "-fdiagnostics-color=auto")
    upc.color = colors_by_default();
  else if (starts(argument, "-fdiagnostics-format="))
    set_format(upc, argument);
  else if (starts(argument, "-fmax-errors=") && argument != "-fmax-errors=0")
    upc.max_errors = parse_count("-fmax-errors", argument.substr(13), 1000000);
  else if (argument == "-fmax-errors=0")
    upc.max_errors = 0;
  return false;
}

int loop_level(const UpcOptions& upc, const Arguments& compile_options, bool observed) {
  if (upc.loop_level >= 0) return upc.loop_level;
  int level = 0;
  for (const std::string& option : compile_options) {
    if (option == "-O0")
      level = 0;
    else if (is_one_of(option, {"-O", "-O1", "-Og", "-Os", "-Oz"}))
      level = 1;
    else if (starts(option, "-O"))
      level = 2;
  }
  return observed ? 0 : level;
}

Arguments upc_preprocessor_options(const Arguments& compile_options) {
  translation_standard(compile_options);  // refuses a standard for which there is no translation
  return select(compile_options, [](const std::string& option) {
    // Debug information and copies of comments would only disturb the translator.
    static constexpr const char* kOther[] = {"-g", "-save-temps", "-fdiagnostics-format=", "-fsyntax-only",
                                             "-aux-info"};
    return !starts_with_any(option, kOther) && !is_one_of(option, {"-P", "-C", "-CC"});
  });
}

Arguments upc_compiler_options(const Arguments& compile_options) {
  const bool warns = std::find(compile_options.begin(), compile_options.end(), "-w") == compile_options.end();
  Arguments options = select(compile_options, [](const std::string& option) {
    // Options that the preprocessor of the UPC source has applied, and options that concern its text alone.
    static constexpr const char* kDone[] = {"-include",      "-imacros", "-M",    "-Wp,-M",    "-Wp,-include",
                                            "-Wp,-imacros",  "-std=",    "-ansi", "-pedantic", "-trigraphs",
                                            "-fpreprocessed"};
    return !starts_with_any(option, kDone) && !is_about_form(option) &&
           !starts(option, "-fdiagnostics-format=") && !is_one_of(option, {"-P", "-C", "-CC", "-H", "-w"});
  });
  options.push_back(translation_standard(compile_options));
  if (!warns) options.push_back("-w");
  return options;
}

Arguments macros_of_command_line(const Arguments& compile_options) {
  Arguments names;
  for (std::size_t i = 0; i < compile_options.size(); ++i) {
    if (!starts(compile_options[i], "-D")) continue;
    const std::string definition = compile_options[i].size() > 2    ? compile_options[i].substr(2)
                                   : i + 1 < compile_options.size() ? compile_options[i + 1]
                                                                    : std::string();
    const std::string name = definition.substr(0, definition.find_first_of("=("));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace upcc

// SPDX-License-Identifier: BSD-3-Clause
// See compiler_options.hpp.
#include "tools/upcc/options/compiler_options.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "include/upcr/types.h"

namespace upcc {
namespace {

using std::string_view;

constexpr string_view kCompileWithArgument[] = {"-D",
                                                "-U",
                                                "-I",
                                                "-include",
                                                "-imacros",
                                                "-isystem",
                                                "-iquote",
                                                "-idirafter",
                                                "-iprefix",
                                                "-iwithprefix",
                                                "-iwithprefixbefore",
                                                "-MT",
                                                "-MQ",
                                                "-Xpreprocessor",
                                                "-Xassembler",
                                                "-aux-info",
                                                "-A",
                                                "-dumpdir",
                                                "-dumpbase"};
constexpr string_view kLinkWithArgument[] = {"-L", "-l", "-u", "-z", "-e", "-Xlinker"};
constexpr string_view kBothWithArgument[] = {"--param", "-arch",     "-target",  "-Xclang",
                                             "-B",      "--sysroot", "-isysroot"};
constexpr string_view kCompilePrefixes[] = {
    "-D", "-U", "-I", "-include", "-i", "-W", "-std=", "-ansi", "-pedantic", "-M", "-Q", "-A", "-save-temps"};
constexpr string_view kCompileOptions[] = {"-P", "-C",         "-CC",    "-H",
                                           "-w", "-trigraphs", "-undef", "-nostdinc"};
constexpr string_view kLinkPrefixes[] = {"-L", "-l", "-Wl,", "-static", "-fuse-ld=", "-u", "-z"};
constexpr string_view kLinkOptions[] = {
    "-shared", "-rdynamic", "-s",   "-nostdlib", "-nodefaultlibs", "-nostartfiles",
    "-nolibc", "-no-pie",   "-pie", "-r",        "-symbolic"};

template <std::size_t n>
bool is_any_of(const string_view (&arguments)[n], string_view argument) {
  return std::find(std::begin(arguments), std::end(arguments), argument) != std::end(arguments);
}
template <std::size_t n>
bool starts_with_any_of(const string_view (&starts)[n], string_view argument) {
  return std::any_of(std::begin(starts), std::end(starts),
                     [argument](string_view start) { return argument.substr(0, start.size()) == start; });
}

// Reads one argument of a response file, from position i on. Blanks separate arguments; quotes and
// backslashes protect blanks.
bool read_argument(const std::string& text, std::size_t& i, std::string& argument) {
  constexpr const char* kBlank = " \t\r\n\f\v";
  i = text.find_first_not_of(kBlank, i);
  if (i == std::string::npos) return false;
  argument.clear();
  char quote = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      argument += text[++i];
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        argument += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (string_view(kBlank).find(c) != string_view::npos) {
      break;
    } else {
      argument += c;
    }
  }
  return true;
}

constexpr std::uint64_t kMaxMegabytes = 1 << 20;

void expand(const std::string& argument, int depth, Arguments& arguments) {
  std::ifstream file;
  if (argument.size() > 1 && argument[0] == '@') file.open(argument.substr(1));
  if (!file.is_open()) {
    arguments.push_back(argument);
    return;
  }
  if (depth > 20) fatal(argument + ": response files nest too deeply");
  for (const std::string& inner : split_arguments({std::istreambuf_iterator<char>(file), {}}))
    expand(inner, depth + 1, arguments);
}

}  // namespace

CompilerOption classify(string_view argument) {
  if (is_any_of(kCompileWithArgument, argument)) return {OptionPhase::kCompile, true};
  if (is_any_of(kLinkWithArgument, argument)) return {OptionPhase::kLink, true};
  if (is_any_of(kBothWithArgument, argument)) return {OptionPhase::kBoth, true};
  if (is_any_of(kCompileOptions, argument)) return {OptionPhase::kCompile, false};
  if (is_any_of(kLinkOptions, argument) || starts_with_any_of(kLinkPrefixes, argument))
    return {OptionPhase::kLink, false};
  if (starts_with_any_of(kCompilePrefixes, argument)) return {OptionPhase::kCompile, false};
  return {OptionPhase::kBoth, false};
}

void refuse_other_layout(const Arguments& options) {
  struct Layout {
    string_view start, end;  // of an option that changes the layout of types: all of it, or up to a value
    string_view against;     // the option that undoes it
  };
  static constexpr Layout kLayouts[] = {
      {"-fpack-struct", "=", "-fno-pack-struct"},
      {"-fshort-enums", "", "-fno-short-enums"},
      {"-fshort-wchar", "", "-fno-short-wchar"},
      {"-mms-bitfields", "", "-mno-ms-bitfields"},
      {"-mlong-double-64", "", "-mlong-double-80"},
      {"-mlong-double-128", "", "-mlong-double-80"},
      {"-m32", "", "-m64"},
      {"-mx32", "", "-m64"},
      {"-m16", "", "-m64"},
      {"-fsso-struct=big-endian", "", "-fsso-struct=little-endian"},
  };
  for (const Layout& layout : kLayouts) {
    const std::string* last = nullptr;
    for (const std::string& option : options) {
      if (option == layout.start || (!layout.end.empty() && option.rfind(layout.start, 0) == 0 &&
                                     option.compare(layout.start.size(), 1, layout.end) == 0))
        last = &option;
      if (option == layout.against) last = nullptr;
    }
    if (last != nullptr)
      fatal(
          *last +
          ": changes the layout of types, and the runtime and the front end have that of the system; pack single "
          "structures by __attribute__((packed)) or #pragma pack");
  }
}

Arguments header_folders(const Arguments& options, std::initializer_list<string_view> names) {
  Arguments folders;
  for (std::size_t i = 0; i < options.size(); ++i)
    for (const string_view name : names) {
      if (options[i] == name && i + 1 < options.size()) folders.push_back(options[i + 1]);
      if (options[i].size() > name.size() && options[i].compare(0, name.size(), name) == 0)
        folders.push_back(options[i].substr(name.size()));
    }
  return folders;
}

Arguments options_of_temporary(const Arguments& options) {
  static constexpr string_view kObserving[] = {
      "--coverage", "-coverage",     "-fcoverage-",   "-fprofile-", "-ftest-coverage", "-fcs-profile",
      "-fdump-",    "-fstack-usage", "-finstrument-", "-g",         "-fcallgraph-"};
  Arguments kept;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const bool paired = classify(options[i]).has_argument && i + 1 < options.size();
    if (!starts_with_any_of(kObserving, options[i]) &&
        !(paired && starts_with_any_of(kObserving, options[i + 1]))) {
      kept.push_back(options[i]);
      if (paired) kept.push_back(options[i + 1]);
    }
    if (paired) ++i;
  }
  return kept;
}

bool is_compiler_query(string_view argument) {
  static constexpr string_view kStart[] = {
      "-dumpmachine", "-dumpversion",  "-dumpfullversion", "-dumpspecs",    "-print-",
      "--print-",     "--target-help", "--help=",          "-Wl,--version", "-Wl,--help"};
  return starts_with_any_of(kStart, argument);
}

Arguments expand_response_files(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) expand(argv[i], 0, arguments);
  return arguments;
}

Arguments split_arguments(const std::string& text) {
  Arguments words;
  std::string word;
  for (std::size_t i = 0; read_argument(text, i, word);) words.push_back(word);
  return words;
}

unsigned parse_count(const std::string& what, const std::string& text, unsigned most) {
  char* end = nullptr;
  errno = 0;
  const unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || text[0] < '0' || text[0] > '9' || *end != 0 || errno != 0 || value < 1 || value > most)
    fatal(what + ": '" + text + "' is not a number from 1 to " + std::to_string(most));
  return static_cast<unsigned>(value);
}

std::uint64_t parse_size(const std::string& what, const std::string& text) {
  static constexpr std::pair<string_view, int> kUnits[] = {{"", 20},  {"B", 0},   {"K", 10}, {"KB", 10},
                                                           {"M", 20}, {"MB", 20}, {"G", 30}, {"GB", 30},
                                                           {"T", 40}, {"TB", 40}};
  char* end = nullptr;
  errno = 0;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
  std::string unit(end);
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::toupper(c); });
  for (const auto& [name, shift] : kUnits) {
    if (unit != name || errno != 0 || value == 0 || text[0] < '0' || text[0] > '9') continue;
    if (value > (UINT64_MAX >> shift) - UPCR_PAGESIZE || (unit.empty() && value >= kMaxMegabytes)) break;
    return ((value << shift) + UPCR_PAGESIZE - 1) / UPCR_PAGESIZE * UPCR_PAGESIZE;
  }
  fatal(what + ": '" + text +
        "' is not a size; expected a number with K, M, G, KB, MB, GB or B, or of megabytes below 1048576");
}

}  // namespace upcc

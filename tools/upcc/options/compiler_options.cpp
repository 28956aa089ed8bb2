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

constexpr string_view kCompileNext[] = {"-D",
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
constexpr string_view kLinkNext[] = {"-L", "-l", "-u", "-z", "-e", "-Xlinker"};
constexpr string_view kBothNext[] = {"--param", "-arch",     "-target",  "-Xclang",
                                     "-B",      "--sysroot", "-isysroot"};
constexpr string_view kCompileStart[] = {
    "-D", "-U", "-I", "-include", "-i", "-W", "-std=", "-ansi", "-pedantic", "-M", "-Q", "-A", "-save-temps"};
constexpr string_view kCompileWord[] = {"-P", "-C", "-CC", "-H", "-w", "-trigraphs", "-undef", "-nostdinc"};
constexpr string_view kLinkStart[] = {"-L", "-l", "-Wl,", "-static", "-fuse-ld=", "-u", "-z"};
constexpr string_view kLinkWord[] = {"-shared",       "-rdynamic", "-s",      "-nostdlib", "-nodefaultlibs",
                                     "-nostartfiles", "-nolibc",   "-no-pie", "-pie",      "-r",
                                     "-symbolic"};

template <std::size_t n>
bool is_one(const string_view (&words)[n], string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}
template <std::size_t n>
bool starts_one(const string_view (&starts)[n], string_view word) {
  return std::any_of(std::begin(starts), std::end(starts),
                     [word](string_view start) { return word.substr(0, start.size()) == start; });
}

// One word of a response file, from position i on: blanks separate, quotes and backslashes protect.
bool has_argument(const std::string& text, std::size_t& i, std::string& word) {
  constexpr const char* kBlank = " \t\r\n\f\v";
  i = text.find_first_not_of(kBlank, i);
  if (i == std::string::npos) return false;
  word.clear();
  char quote = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (string_view(kBlank).find(c) != string_view::npos) {
      break;
    } else {
      word += c;
    }
  }
  return true;
}

void expand(const std::string& word, int depth, Words& words) {
  std::ifstream file;
  if (word.size() > 1 && word[0] == '@') file.open(word.substr(1));
  if (!file.is_open()) {
    words.push_back(word);
    return;
  }
  if (depth > 20) die(word + ": response files nest too deeply");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string inner;
  for (std::size_t i = 0; has_argument(text, i, inner);) expand(inner, depth + 1, words);
}

}  // namespace

CompilerOption classify(string_view word) {
  if (is_one(kCompileNext, word)) return {Takes::kCompile, true};
  if (is_one(kLinkNext, word)) return {Takes::kLink, true};
  if (is_one(kBothNext, word)) return {Takes::kBoth, true};
  if (is_one(kCompileWord, word)) return {Takes::kCompile, false};
  if (is_one(kLinkWord, word) || starts_one(kLinkStart, word)) return {Takes::kLink, false};
  if (starts_one(kCompileStart, word)) return {Takes::kCompile, false};
  return {Takes::kBoth, false};
}

bool is_compiler_query(string_view word) {
  static constexpr string_view kStart[] = {"-dumpmachine", "-dumpversion", "-dumpfullversion", "-dumpspecs",
                                           "-print-",      "--print-",     "--target-help"};
  return starts_one(kStart, word);
}

Words expand_response_files(int argc, char** argv) {
  Words words;
  for (int i = 1; i < argc; ++i) expand(argv[i], 0, words);
  return words;
}

unsigned parse_count(const std::string& what, const std::string& text, unsigned most) {
  char* end = nullptr;
  errno = 0;
  const unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || text[0] < '0' || text[0] > '9' || *end != 0 || errno != 0 || value < 1 || value > most)
    die(what + ": '" + text + "' is not a number from 1 to " + std::to_string(most));
  return static_cast<unsigned>(value);
}

std::uint64_t parse_size(const std::string& what, const std::string& text) {
  static constexpr std::pair<string_view, int> kUnits[] = {{"", 0},   {"B", 0},   {"K", 10}, {"KB", 10},
                                                           {"M", 20}, {"MB", 20}, {"G", 30}, {"GB", 30},
                                                           {"T", 40}, {"TB", 40}};
  char* end = nullptr;
  errno = 0;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
  std::string unit(end);
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::toupper(c); });
  for (const auto& [name, shift] : kUnits) {
    if (unit != name || errno != 0 || value == 0 || text[0] < '0' || text[0] > '9') continue;
    if (value > (UINT64_MAX >> shift) - UPCR_PAGESIZE) break;
    return ((value << shift) + UPCR_PAGESIZE - 1) / UPCR_PAGESIZE * UPCR_PAGESIZE;
  }
  die(what + ": '" + text + "' is not a size: expected a number of bytes, or one with K, M, G, KB, MB or GB");
}

}  // namespace upcc

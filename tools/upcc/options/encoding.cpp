// SPDX-License-Identifier: BSD-3-Clause
// See encoding.hpp. docs/how-to/translators.md has the table of the numbers.
#include "tools/upcc/options/encoding.hpp"

#include <algorithm>
#include <charconv>

#include "tools/upcc/base/process.hpp"

namespace upcc {
namespace {

using std::string_view;

constexpr int kGasnetExOperators =
    2019;  // releases named by years, from this one on, number operators as GASNet-EX does

bool covers(const Token& token, const char* at) {
  return at >= token.text.data() && at < token.text.data() + token.text.size();
}

// The rest of the line behind "UPC translator version:", of the first comment that has these words.
string_view banner_of(string_view text, const std::vector<Token>& tokens) {
  constexpr string_view kMark = "UPC translator version:";
  for (std::size_t at = 0; (at = text.find(kMark, at)) != string_view::npos; ++at) {
    const char* const begin = text.data() + at;
    if (std::any_of(tokens.begin(), tokens.end(), [begin](const Token& t) { return covers(t, begin); }))
      continue;
    const string_view rest = text.substr(at + kMark.size());
    return rest.substr(0, std::min(rest.find_first_of("\r\n"), rest.find("*/")));
  }
  return {};
}

struct Release {
  int major = -1, minor = -1;
  std::string text;
};

// "release 2.28.2, built on ...".
Release release_of(string_view banner) {
  constexpr string_view kWord = "release ";
  Release release;
  const std::size_t at = banner.find(kWord);
  if (at == string_view::npos) return release;
  banner.remove_prefix(at + kWord.size());
  const char *p = banner.data(), *const end = p + banner.size();
  const auto major = std::from_chars(p, end, release.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return {};
  if (std::from_chars(major.ptr + 1, end, release.minor).ec != std::errc()) return {};
  release.text = banner.substr(0, banner.find_first_not_of("0123456789."));
  return release;
}

// The name of the first call that takes an operator; empty when there is none.
string_view operator_call(const std::vector<Token>& tokens) {
  for (const Token& token : tokens) {
    string_view name = token.text;
    if (!token.name()) continue;
    while (!name.empty() && (name[0] == '_' || name[0] == 'b')) name.remove_prefix(1);
    for (string_view start :
         {"upc_all_reduce", "upc_all_prefix_reduce", "upcr_all_reduce", "upcr_all_prefix_reduce",
          "upc_all_atomicdomain_alloc", "upc_atomic_", "upcr_atomic_"})
      if (name.substr(0, start.size()) == start) return token.text;
  }
  return {};
}

const Encoding& encoding_numbered(int number) {
  return *std::find_if(encodings().begin(), encodings().end(),
                       [number](const Encoding& e) { return e.number == number; });
}

}  // namespace

const std::vector<Encoding>& encodings() {
  static const std::vector<Encoding> kAll = {{"upc-1.3", 0, "UPC 1.3: releases 2.22 to 2.28, upc2c"},
                                             {"bupc-2.14", 1, "releases 2.14 to 2.20"},
                                             {"bupc-2.8", 2, "releases up to 2.12"}};
  return kAll;
}

const Encoding& encoding_named(const std::string& name) {
  std::string all;
  for (const Encoding& encoding : encodings()) {
    if (encoding.name == name) return encoding;
    all += (all.empty() ? "" : ", ") + std::string(encoding.name);
  }
  fatal("--encoding: '" + name + "' is none of " + all);
}

EncodingChoice choose_encoding(const std::string& path, string_view text, const std::vector<Token>& tokens,
                               const Encoding* wanted) {
  if (wanted != nullptr) return {wanted, "--encoding"};
  const string_view banner = banner_of(text, tokens);
  if (banner.empty()) return {&encodings().front(), "the file does not name the translator's release"};
  const Release release = release_of(banner);
  if (release.major < 0)
    return {&encodings().front(),
            "'UPC translator version:" + std::string(banner) +
                "' names no known release, so the newest is assumed; --encoding names another"};
  const std::string why = "translated by release " + release.text;
  if (release.major < 2 || (release.major == 2 && release.minor <= 12)) return {&encoding_numbered(2), why};
  if (release.major == 2 && release.minor >= 14 && release.minor <= 20) return {&encoding_numbered(1), why};
  if (release.major == 2 && release.minor >= 22 && release.minor <= 28) return {&encoding_numbered(0), why};
  if (const string_view call = operator_call(tokens); release.major >= kGasnetExOperators && !call.empty())
    fatal(path + ": " + why +
          ", whose numbers for operators (UPC_ADD ...) upcr does not know, and the file calls " +
          std::string(call) + "; translate it with the headers of upcr (upcr_preinclude/) and give " +
          "--encoding upc-1.3, or use another release");
  return {&encodings().front(),
          why + ", which upcr does not know, so the newest known one is assumed; --encoding names another"};
}

}  // namespace upcc

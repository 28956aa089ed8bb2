// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/text/directive.hpp"

namespace upc2c {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

void skip_blanks(std::string_view& text) {
  const std::size_t at = text.find_first_not_of(kBlanks);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at);
}

std::string_view next_word(std::string_view& text) {
  skip_blanks(text);
  const std::size_t end = std::min(text.find_first_of(" \t\r\f\v()"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void parse_marker(std::string_view rest, DirectiveLine& out) {
  while (!rest.empty() && is_digit(rest[0])) {
    out.line = out.line * 10 + static_cast<std::uint32_t>(rest[0] - '0');
    rest.remove_prefix(1);
  }
  skip_blanks(rest);
  if (rest.empty() || rest[0] != '"') return;
  const std::size_t close = rest.find('"', 1);
  if (close == std::string_view::npos) return;
  out.kind = DirectiveKind::kLineMarker;
  out.file = rest.substr(1, close - 1);
  for (const char c : rest.substr(close + 1)) {
    out.enters |= c == '1';
    out.returns |= c == '2';
    out.system |= c == '3';
  }
}

// parallel for, distribute simd: of OpenMP and OpenACC.
bool names_loop(std::string_view directive) {
  for (std::string_view word = next_word(directive); !word.empty(); word = next_word(directive)) {
    if (word == "for" || word == "simd" || word == "loop" || word == "taskloop" || word == "distribute")
      return true;
    if (!directive.empty() && directive[0] == '(') return false;  // its clauses
  }
  return false;
}

PragmaKind pragma_kind(std::string_view rest) {
  const std::string_view family = next_word(rest);
  if (family == "pupc") return PragmaKind::kPupc;
  if (family == "pack") return PragmaKind::kPack;
  if (family == "unroll" || family == "nounroll" || family == "ivdep") return PragmaKind::kLoopHint;
  if (family == "omp" || family == "acc") return names_loop(rest) ? PragmaKind::kLoop : PragmaKind::kOther;
  if (family != "upc" && family != "GCC" && family != "clang") return PragmaKind::kOther;
  const std::string_view word = next_word(rest);
  if (family != "upc") {
    const bool hint = word == "ivdep" || word == "unroll" || word == "novector" || word == "loop";
    return hint ? PragmaKind::kLoopHint : PragmaKind::kOther;
  }
  if (word == "strict") return PragmaKind::kStrict;
  if (word == "relaxed") return PragmaKind::kRelaxed;
  if (word == "c_code") return PragmaKind::kCCode;
  if (word == "upc_code") return PragmaKind::kUpcCode;
  return PragmaKind::kUpcUnknown;
}

}  // namespace

DirectiveLine parse_directive(std::string_view line) {
  DirectiveLine out;
  line.remove_prefix(1);
  skip_blanks(line);
  if (!line.empty() && is_digit(line[0])) {
    parse_marker(line, out);
    return out;
  }
  const std::string_view word = next_word(line);
  if (word == "pragma") {
    out.is_pragma = true;
    out.pragma = pragma_kind(line);
  } else if (word == "line") {
    skip_blanks(line);
    parse_marker(line, out);
  } else if (word == "define") {
    out.kind = DirectiveKind::kDefine;
  } else if (word == "undef") {
    out.kind = DirectiveKind::kUndef;
  } else if (word == "include" || word == "include_next" || word == "import") {
    out.kind = DirectiveKind::kInclude;
  }
  return out;
}

}  // namespace upc2c

// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/diag/original.hpp"

#include <algorithm>
#include <fstream>

namespace upc2c {
namespace {

struct Piece {
  std::string_view text;
  std::uint32_t column;  // from 1
};

// The tokens of one original line. Comments are blank; a string that does not end on the line ends with it.
std::vector<Piece> pieces_of(std::string_view line) {
  std::vector<Piece> out;
  const auto word = [](char c) {
    return c == '_' || c == '$' || std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80);
  };
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i + 1;
    if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
      i++;
      continue;
    }
    if (line.substr(i, 2) == "//") break;
    if (line.substr(i, 2) == "/*") {
      const std::size_t close = line.find("*/", i + 2);
      i = close == std::string_view::npos ? line.size() : close + 2;
      continue;
    }
    if (word(line[i])) {
      while (end < line.size() && word(line[end])) end++;
    } else if (line[i] == '"' || line[i] == '\'') {
      while (end < line.size() && line[end] != line[i]) end += line[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, line.size());
    }
    out.push_back({line.substr(i, end - i), static_cast<std::uint32_t>(i) + 1});
    i = end;
  }
  return out;
}

// The macro's name in `#define NAME` or `#undef NAME`; empty: another directive.
Piece macro_of(std::string_view line) {
  const std::vector<Piece> pieces = pieces_of(line);
  const bool is_macros =
      pieces.size() > 2 && pieces[0].text == "#" && (pieces[1].text == "define" || pieces[1].text == "undef");
  return is_macros ? pieces[2] : Piece{{}, 0};
}

// For each piece of `now` the piece of `was` that it is in a longest common subsequence, or -1.
std::vector<int> align(const std::vector<Piece>& was, const std::vector<Piece>& now) {
  const std::size_t n = was.size(), m = now.size();
  std::vector<int> match(m, -1);
  if (n * m > 1000000) return match;  // an absurd line: no columns
  std::vector<std::vector<std::uint32_t>> best(n + 1, std::vector<std::uint32_t>(m + 1));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      best[i][j] =
          was[i].text == now[j].text ? best[i + 1][j + 1] + 1 : std::max(best[i + 1][j], best[i][j + 1]);
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    if (was[i].text == now[j].text)
      match[j++] = static_cast<int>(i++);
    else if (best[i + 1][j] >= best[i][j + 1])
      i++;
    else
      j++;
  }
  return match;
}

bool is_word(const Piece& piece) {
  return std::isalpha(static_cast<unsigned char>(piece.text[0])) != 0 || piece.text[0] == '_';
}

// The piece that stands for piece j: its own, or the name of a macro that is before the next piece with one
// of its own.
int standing_for(const std::vector<Piece>& was, const std::vector<int>& match, std::size_t j) {
  if (match[j] >= 0) return match[j];
  std::size_t next = j;
  while (next < match.size() && match[next] < 0) next++;
  int at = next < match.size() ? match[next] : static_cast<int>(was.size());
  const auto kept = [&](int i) { return std::find(match.begin(), match.end(), i) != match.end(); };
  for (at--; at >= 0; at--)
    if (is_word(was[static_cast<std::size_t>(at)]) && !kept(at)) return at;
  return -1;
}

}  // namespace

Place place_of(const TokenStream& stream, const Mark& mark) {
  return mark.spot == Mark::Spot::kDirective ? stream.lines().place(mark.offset) : stream.place(mark.caret);
}

OriginalRange OriginalLines::caret(const Mark& mark) {
  return mark.spot == Mark::Spot::kToken ? find({mark.caret, mark.caret + 1}) : range(mark);
}

OriginalRange OriginalLines::range(const Mark& mark) {
  switch (mark.spot) {
    case Mark::Spot::kBehind:
      return behind(mark.caret);
    case Mark::Spot::kDirective:
      return directive(mark.offset);
    default:
      return find(mark.range);
  }
}

// Also where the token comes from a macro: behind its arguments.
OriginalRange OriginalLines::behind(TokenIndex at) {
  OriginalRange out = find({at, at + 1});
  if (const auto pieces = pieces_of(out.line); !pieces.empty())
    out.end = pieces.back().column + static_cast<std::uint32_t>(pieces.back().text.size());
  return {out.line, out.end, out.end + 1, {}};
}

OriginalRange OriginalLines::directive(std::uint32_t offset) {
  const Place place = stream_.lines().place(offset);
  const std::vector<std::string>& lines = lines_of(place.file);
  const bool known = place.line > 0 && place.line <= lines.size();
  const std::string line = known ? lines[place.line - 1] : std::string(stream_.lines().line_text(offset));
  const auto pieces = pieces_of(line);
  if (pieces.empty()) return {line, 1, 2, {}};
  const auto end = static_cast<std::uint32_t>(pieces.back().column + pieces.back().text.size());
  return {line, pieces.front().column, end, {}};
}

const std::vector<std::string>& OriginalLines::lines_of(std::string_view file) {
  const auto found = files_.find(file);
  if (found != files_.end()) return found->second;
  std::vector<std::string> lines;
  std::ifstream in{std::string(file)};
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return files_.emplace(std::string(file), std::move(lines)).first->second;
}

OriginalRange OriginalLines::find(TokenRange range) {
  const TokenIndex last_token = static_cast<TokenIndex>(stream_.tokens().size()) - 1;
  range.begin = std::min(range.begin, last_token);
  range.end = std::clamp(range.end, range.begin + 1, last_token + 1);
  const Token& first = stream_.token(range.begin);
  const Place place = stream_.lines().place(first.offset);
  const std::string_view now_line = stream_.lines().line_text(first.offset);
  // The last token of the range on this line.
  const std::uint32_t line_begin = first.offset - (place.column - 1);
  TokenIndex last = range.begin;
  while (last + 1 < range.end && stream_.token(last + 1).offset < line_begin + now_line.size()) last++;
  const std::uint32_t now_end = stream_.token(last).offset + stream_.token(last).length - line_begin + 1;

  OriginalRange out{std::string(now_line), place.column, std::max(now_end, place.column + 1), {}};
  const std::vector<std::string>& lines = lines_of(place.file);
  if (place.line == 0 || place.line > lines.size()) return out;
  const std::string& line = lines[place.line - 1];
  if (line == now_line) return out;
  const std::vector<Piece> was = pieces_of(line);
  // The preprocessor breaks lines at macros, so the line is put together from its tokens.
  const auto on_line = [&](TokenIndex i) {
    const Place other = stream_.place(i);
    return other.line == place.line && other.file == place.file;
  };
  TokenIndex at = range.begin;
  while (at > 0 && on_line(at - 1)) at--;
  std::vector<Piece> now;
  std::size_t first_piece = 0, last_piece = 0;
  for (; at < last_token && on_line(at); at++) {
    const std::vector<Piece> parts = pieces_of(stream_.text(at));
    if (at == range.begin) first_piece = now.size();
    now.insert(now.end(), parts.begin(), parts.end());
    if (at < range.end) last_piece = std::max(now.size(), std::size_t{1}) - 1;
  }
  out.line = line;
  if (was.empty() || now.empty()) {
    out.begin = 1, out.end = 2;
    return out;
  }
  const std::vector<int> match = align(was, now);
  const int begin = standing_for(was, match, first_piece), end = standing_for(was, match, last_piece);
  if (begin < 0 || end < 0) return out;
  const Piece& from = was[static_cast<std::size_t>(begin)];
  const Piece& to = was[static_cast<std::size_t>(std::max(begin, end))];
  out.begin = from.column;
  out.end = to.column + static_cast<std::uint32_t>(to.text.size());
  if (match[first_piece] < 0 && is_word(from))
    out.macro = std::string_view(line).substr(from.column - 1, from.text.size());
  return out;
}

std::optional<MacroDefinition> OriginalLines::definition(std::string_view macro, TokenIndex use) {
  const std::vector<Directive>& all = stream_.directives();
  const auto behind = std::partition_point(
      all.begin(), all.end(), [&](const Directive& d) { return d.offset < stream_.token(use).offset; });
  for (auto d = std::make_reverse_iterator(behind); d != all.rend(); ++d) {
    if (d->kind != DirectiveKind::kDefine || macro_of(stream_.text(*d)).text != macro) continue;
    const Place place = stream_.lines().place(d->offset);
    const std::vector<std::string>& lines = lines_of(place.file);
    if (place.line == 0 || place.line > lines.size()) return {};
    const std::string& line = lines[place.line - 1];
    const Piece name = macro_of(line);
    if (name.text != macro) return {};
    return MacroDefinition{place.file, place.line, name.column, line};
  }
  return {};
}

}  // namespace upc2c

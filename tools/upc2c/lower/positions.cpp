// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/lower/positions.hpp"

#include <algorithm>
#include <cstdlib>

namespace upc2c {
namespace {

// A mark is one of these control characters, an offset in the input and ';'. No token of C has them: bytes
// below a blank are white space or kOther, which is a syntax error.
constexpr char kMark = '\x1e', kWeakMark = '\x1d', kLineMark = '\x1c';
// Up to this number of lines, line ends are easier to read than a #line.
constexpr std::uint32_t kMaxLineEnds = 8;

bool is_mark(char c) { return c == kMark || c == kWeakMark || c == kLineMark; }

std::string mark_of(char kind, std::uint32_t number) { return kind + std::to_string(number) + ';'; }

// Writes text with marks once.
class Writer {
 public:
  Writer(const TokenStream& stream, std::string_view text) : stream_(stream), text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (is_mark(text_[at_]))
        read_mark();
      else
        copy();
    }
    return std::move(out_);
  }

 private:
  void copy() {
    const char c = text_[at_++];
    out_ += c;
    line_ += c == '\n';
  }

  void read_mark() {
    const char kind = text_[at_];
    const std::size_t end = text_.find(';', at_);
    const auto number = static_cast<std::uint32_t>(std::strtoul(text_.data() + at_ + 1, nullptr, 10));
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
    const Place place = stream_.lines().place(kind == kLineMark ? number : stream_.token(number).offset);
    if (kind == kWeakMark) {
      if (place.file == file_ && place.line > line_ && place.line - line_ <= kMaxLineEnds)
        add_lines(place.line);
      return;
    }
    go_to(place);
    if (kind == kLineMark) begin_line();
  }

  void go_to(const Place& place) {
    if (place.file == file_ && place.line == line_) return;
    if (place.file == file_ && place.line > line_ && place.line - line_ <= kMaxLineEnds)
      return add_lines(place.line);
    begin_line();
    out_ += "#line " + std::to_string(place.line) + " " + quoted_file(place.file) + "\n";
    file_ = place.file;
    line_ = place.line;
  }

  void add_lines(std::uint32_t line) {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    out_.append(line - line_, '\n');
    line_ = line;
  }

  void begin_line() {
    const std::size_t last = out_.find_last_not_of(" \t");
    if (last == std::string::npos || out_[last] == '\n') return;
    out_ += '\n';
    line_++;
  }

  const TokenStream& stream_;
  std::string_view text_, file_;  // of the line that is being written
  std::uint32_t line_ = 0;
  std::string out_;
  std::size_t at_ = 0;
};

}  // namespace

std::string quoted_file(std::string_view file) {
  std::string out = "\"";
  for (const char c : file) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string Positions::mark(TokenIndex token) { return mark_of(kMark, token); }

std::string Positions::weak_mark(TokenIndex token) { return mark_of(kWeakMark, token); }

std::string Positions::line(std::uint32_t offset, std::string_view directive) {
  return mark_of(kLineMark, offset) + std::string(directive) + '\n';
}

std::string Positions::without_marks(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); i++) {
    if (is_mark(text[i]))
      i = std::min(text.find(';', i), text.size());
    else
      out += text[i];
  }
  return out;
}

std::string Positions::on_one_line(std::string_view text) {
  std::string out = without_marks(text);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

std::string Positions::written(std::string_view text) const { return Writer(stream_, text).run(); }

}  // namespace upc2c

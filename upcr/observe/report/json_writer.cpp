// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/report/json_writer.hpp"

#include <charconv>

namespace upcr::observe {
namespace {

// How many bytes a character of UTF-8 has at the beginning of `text`; 0: there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    const bool overlong = first == 0xe0 && second < 0xa0, surrogate = first == 0xed && second >= 0xa0;
    return !overlong && !surrogate && continues(1) && continues(2) ? 3 : 0;
  }
  if (first < 0xf0 || first > 0xf4) return 0;
  const bool overlong = first == 0xf0 && second < 0x90, too_large = first == 0xf4 && second >= 0x90;
  return !overlong && !too_large && continues(1) && continues(2) && continues(3) ? 4 : 0;
}

}  // namespace

void JsonWriter::open(char bracket) {
  comma();
  text_ += bracket;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  text_ += bracket;
  first_ = false;
}

void JsonWriter::name(std::string_view text) {
  comma();
  string(text);
  text_ += ':';
  first_ = true;
}

void JsonWriter::line_end_after_comma() {
  if (first_) return;
  text_ += ",\n";
  first_ = true;
}

void JsonWriter::write_to(std::FILE* out) {
  std::fwrite(text_.data(), 1, text_.size(), out);
  text_.clear();
}

void JsonWriter::comma() {
  if (!first_) text_ += ',';
  first_ = false;
}

void JsonWriter::string(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  text_ += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto c = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      text_ += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += text[0];
    } else if (c < 0x20) {
      text_ += "\\u00";
      text_ += kDigits[c / 16];
      text_ += kDigits[c % 16];
    } else {
      text_ += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
}

// With a point for every program: printf() writes what the program's locale says.
void JsonWriter::decimal(double number) {
  char digits[400];  // the largest number has 309 before the point
  const auto [end, error] =
      std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed, 3);
  text_.append(digits, end);
}

}  // namespace upcr::observe

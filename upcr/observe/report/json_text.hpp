// SPDX-License-Identifier: BSD-3-Clause
// Text inside the quotes of a JSON string.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

namespace upcr::observe {

// How many bytes a character of UTF-8 has at the beginning of `text`; 0: there is none.
inline std::size_t utf8_length(std::string_view text) {
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

// What is no UTF-8 becomes U+FFFD, byte by byte: a reader would refuse the whole file.
inline std::string json_text(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto c = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      escaped += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      escaped += '\\';
      escaped += text[0];
    } else if (c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      escaped += code;
    } else {
      escaped += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return escaped;
}

}  // namespace upcr::observe

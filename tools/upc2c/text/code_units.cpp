// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/text/code_units.hpp"

namespace upc2c {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

namespace {

// Up to `most` digits of that base; advances.
std::uint32_t digits(std::string_view& text, int most, int base) {
  std::uint32_t value = 0;
  for (int i = 0; i < most && !text.empty() && digit_of(text[0]) < base; i++, text.remove_prefix(1))
    value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit_of(text[0]));
  return value;
}

void add_code_point(std::uint32_t code, unsigned width, std::vector<std::uint32_t>& units) {
  if (width == 32 || code < 0x80 || (width == 16 && code < 0x10000)) {
    units.push_back(code);
  } else if (width == 16) {
    units.push_back(0xd7c0 + (code >> 10));
    units.push_back(0xdc00 | (code & 0x3ff));
  } else {
    const unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes behind the first
    units.push_back((0xf00u >> more & 0xff) | code >> (6 * more));
    for (unsigned i = more; i-- > 0;) units.push_back(0x80 | (code >> (6 * i) & 0x3f));
  }
}

std::uint32_t simple_escape(char c) {
  static constexpr std::string_view kNames = "abeEfnrtv", kValues = "\a\b\x1b\x1b\f\n\r\t\v";
  const std::size_t at = kNames.find(c);
  return static_cast<unsigned char>(at == std::string_view::npos ? c : kValues[at]);
}

void add_escape(std::string_view& text, unsigned width, std::vector<std::uint32_t>& units) {
  const char c = text[0];
  if (c >= '0' && c <= '7') return units.push_back(digits(text, 3, 8));
  text.remove_prefix(1);
  if (c == 'x') return units.push_back(digits(text, 64, 16));
  if (c == 'u' || c == 'U') return add_code_point(digits(text, c == 'u' ? 4 : 8, 16), width, units);
  units.push_back(simple_escape(c));
}

// A byte of more than seven bits: with those that continue it. (Narrow strings have the bytes of the source.)
void add_source_character(std::string_view& text, unsigned width, std::vector<std::uint32_t>& units) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  std::uint32_t code = first & (0x3fu >> more);
  std::size_t found = 0;
  for (; found < more && found + 1 < text.size(); found++) {
    const auto next = static_cast<unsigned char>(text[found + 1]);
    if ((next & 0xc0) != 0x80) break;
    code = code << 6 | (next & 0x3f);
  }
  const bool valid = more > 0 && found == more;
  if (valid)
    add_code_point(code, width, units);
  else
    units.push_back(first);
  text.remove_prefix(valid ? more + 1 : 1);
}

}  // namespace

void next_units(std::string_view& text, unsigned width, std::vector<std::uint32_t>& units) {
  const char c = text[0];
  if (c == '\\' && text.size() > 1) {
    text.remove_prefix(1);
    return add_escape(text, width, units);
  }
  if (static_cast<unsigned char>(c) >= 0x80 && width > 8) return add_source_character(text, width, units);
  units.push_back(static_cast<unsigned char>(c));
  text.remove_prefix(1);
}

}  // namespace upc2c

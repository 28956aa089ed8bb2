// SPDX-License-Identifier: BSD-3-Clause
// Text inside the quotes of a JSON string.
#pragma once
#include <cstdio>
#include <string>

namespace upcr::observe {

inline std::string json_text(const char* text) {
  std::string escaped;
  for (; *text != '\0'; ++text) {
    const auto c = static_cast<unsigned char>(*text);
    if (c == '"' || c == '\\') {
      escaped += '\\';
      escaped += static_cast<char>(c);
    } else if (c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      escaped += code;
    } else {
      escaped += static_cast<char>(c);
    }
  }
  return escaped;
}

}  // namespace upcr::observe
